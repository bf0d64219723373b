#include "schedule/linear_program.h"

#include <ClpEventHandler.hpp>
#include <ClpSimplex.hpp>

#include "ampere/error.h"

namespace ampere {
namespace {

class StopHandler : public ClpEventHandler {
 public:
  explicit StopHandler(StopToken stop) : stop_(stop) {}
  int event(Event) override { return stop_.stop_requested() ? kStop : -1; }
  ClpEventHandler* clone() const override { return new StopHandler(*this); }

 private:
  static constexpr int kStop = 5;
  StopToken stop_;
};

class ClpProgram : public LinearProgram {
 public:
  explicit ClpProgram(StopToken stop) : stop_(stop) {
    model_.setLogLevel(0);
    model_.scaling(0);  // callers choose their units; unscaling would leave dual infeasibilities
    const StopHandler handler(stop);
    model_.passInEventHandler(&handler);
  }

  int add_row(double lower, double upper) override {
    model_.resize(model_.numberRows() + 1, 0);
    const int row = model_.numberRows() - 1;
    model_.setRowBounds(row, lower, upper);
    return row;
  }

  int add_column(double cost, std::span<const LpEntry> entries) override {
    costs_.push_back(cost);
    for (const LpEntry& entry : entries) {
      rows_.push_back(entry.row);
      values_.push_back(entry.value);
    }
    starts_.push_back(static_cast<CoinBigIndex>(rows_.size()));
    return model_.numberColumns() + static_cast<int>(costs_.size()) - 1;
  }

  LpSolution solve() override {
    model_.addColumns(static_cast<int>(costs_.size()), nullptr, nullptr, costs_.data(),
                      starts_.data(), rows_.data(), values_.data());
    costs_.clear();
    starts_.resize(1);
    rows_.clear();
    values_.clear();
    model_.primal(0);
    solved_ = true;
    stop_.throw_if_stopped();
    if (!model_.isProvenOptimal())
      throw Error(ErrorCode::failed, "the linear program of the schedule could not be solved");
    const double* const columns = model_.primalColumnSolution();
    const double* const prices = model_.dualRowSolution();
    return {model_.objectiveValue(),
            {columns, columns + model_.numberColumns()},
            {prices, prices + model_.numberRows()}};
  }

 private:
  ClpSimplex model_;
  // The columns since the last solution, one after the other.
  std::vector<double> costs_;
  std::vector<CoinBigIndex> starts_{0};
  std::vector<int> rows_;
  std::vector<double> values_;
  bool solved_ = false;
  StopToken stop_;
};

}  // namespace

}  // namespace ampere

extern "C" ampere::LinearProgram* ampere_make_linear_program(const ampere::StopToken& stop) {
  return new ampere::ClpProgram(stop);
}
