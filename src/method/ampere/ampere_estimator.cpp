#include <algorithm>
#include <cmath>
#include <map>

#include "ampere/estimate.h"
#include "ampere/what_if.h"
#include "estimate/interval.h"
#include "estimate/parts.h"
#include "method/ampere/fit.h"

namespace ampere {
namespace {

Eigen::MatrixXd feature_rows(std::span<const Part* const> parts) {
  Eigen::MatrixXd rows(parts.size(), parts.front()->features.size());
  for (std::size_t row = 0; row < parts.size(); ++row)
    std::ranges::copy(parts[row]->features, rows.row(static_cast<Eigen::Index>(row)).begin());
  return rows;
}

// Fills the parts of one kind and adds them up: Σ n·μ, and nᵀΣn as the variance, since the terms of
// one kind are correlated through the process they share.
Quantity add_up(const GaussianProcess& gp, std::span<Part* const> parts, Quantity Part::*quantity,
                const Eigen::MatrixXd& rows) {
  Eigen::VectorXd mean, variance;
  gp.predict(rows, mean, variance);
  Eigen::VectorXd counts(rows.rows());
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    counts[i] = parts[i]->count;
    parts[i]->*quantity = {counts[i] * mean[i], counts[i] * std::sqrt(variance[i])};
  }
  const double joint = rows.rows() == 1 ? variance[0] * counts[0] * counts[0]
                                        : counts.dot(gp.covariance(rows) * counts);
  return {counts.dot(mean), std::sqrt(std::max(0.0, joint))};
}

bool outside(const KindFit& fit, const std::vector<std::int64_t>& features) {
  for (std::size_t i = 0; i < features.size(); ++i)
    if (features[i] < fit.low[i] || features[i] > fit.high[i]) return true;
  return false;
}

class AmpereEstimator : public Estimator {
 public:
  AmpereEstimator(Fits fits, const Setup& setup) : fits_(std::move(fits)), setup_(setup) {}

  // Ê_model = Ê_in(C1) + Σ Ê_hid(C_{i−1}, C_i) + Ê_out(C_{n−1})
  Estimate estimate(const Model& model, const Workload& workload) const override {
    Estimate result;
    collect_parts(
        model, parse_blocks(model),
        [&](const Block& block) { return fits_.contains(block.kind->key); },
        [&](const Block& block) { return outside(fits_.at(block.kind->key), block.features); },
        result);
    std::map<std::string, std::vector<Part*>> by_kind;
    for (Part& part : result.parts) by_kind[part.kind].push_back(&part);

    Quantity energy, time;
    for (const auto& [key, parts] : by_kind) {
      const KindFit& fit = fits_.at(key);
      const Eigen::MatrixXd rows = feature_rows(parts);
      add_independent(energy, add_up(fit.energy, parts, &Part::energy_j, rows));
      add_independent(time, add_up(fit.time, parts, &Part::time_s, rows));
      result.source = std::max(result.source, fit.source);
    }
    if (result.uncovered.empty()) conclude(energy, time, workload, result);
    return result;
  }

  std::unique_ptr<WidthJudge> judge(const Model& original) const override {
    return make_ampere_judge(original, fits_);
  }

  std::string what_if(const Model& original) const override {
    return what_if_json(original, fits_, setup_);
  }

 private:
  static void conclude(const Quantity& energy, const Quantity& time, const Workload& workload,
                       Estimate& result) {
    set_totals(energy, time, workload, result);
    warn_of_extrapolation(result);
    if (energy.mean <= 0 || time.mean <= 0)
      result.warnings.push_back(
          "the mean is not positive: the profile is too uncertain for a network this small");
  }

  Fits fits_;
  Setup setup_;
};

}  // namespace

std::unique_ptr<Estimator> make_ampere_estimator(Fits fits, const Setup& setup) {
  return std::make_unique<AmpereEstimator>(std::move(fits), setup);
}

}  // namespace ampere
