#include "method/operations/operations_judge.h"

#include <fmt/format.h>

#include <map>

#include "ampere/error.h"
#include "estimate/causes.h"
#include "method/operations/operations_method.h"
#include "method/operations/program_origin.h"
#include "method/operations/remembered_map.h"

namespace ampere {
namespace {

constexpr std::size_t kMostNetworks = 1 << 16;  // that are kept, some hundred bytes each

class OperationsJudge final : public WidthJudge {
 public:
  OperationsJudge(const Model& original, const Setup& setup,
                  std::shared_ptr<const GeneralProfile> profile,
                  std::unique_ptr<Estimator> estimator)
      : original_(original),
        setup_(setup),
        profile_(std::move(profile)),
        estimator_(std::move(estimator)),
        map_(profile_->fitted.map) {
    try {
      const Program program = program_of(original, setup, *profile_);
      wider_ = wider_by(0, differences_of_use(program, *profile_).size());
    } catch (const Error& error) {
      throw Error(ErrorCode::unknown,
                  fmt::format("{} has no cost at other widths: {}", original.name(), error.what()));
    }
  }

  std::optional<Judgement> judge(std::span<const std::int64_t> widths) override {
    const StepIntervals intervals = widened_intervals(widths, kUsualConfidence);
    const Quantity energy = to_quantity(intervals.energy_j);
    return Judgement{energy.mean, energy.stddev.value(), intervals.time_s.mean, false};
  }

  // It reaches further up than down, and further on the side of other hosts.
  std::optional<Interval> energy_interval(std::span<const std::int64_t> widths,
                                          double confidence) override {
    return widened_intervals(widths, confidence).energy_j;
  }

  CostCauses causes(std::span<const std::int64_t> widths) override {
    const Model network = with_widths(original_, widths);
    const Estimate estimate = estimator_->estimate(network, {});
    require_covered(estimate, network);
    return {{}, {}, cost_parts(estimate)};
  }

 private:
  // As those of the estimator are.
  StepIntervals widened_intervals(std::span<const std::int64_t> widths, double confidence) {
    StepIntervals intervals = intervals_of(at(widths), profile_->fitted, confidence);
    for (Interval* interval : {&intervals.energy_j, &intervals.time_s}) widen(*interval, wider_);
    return intervals;
  }

  // Neighbouring points of a search have most of their corners in common.
  const ComposedSums& at(std::span<const std::int64_t> widths) {
    key_.assign(widths.begin(), widths.end());
    if (const auto found = known_.find(key_); found != known_.end()) return found->second;
    if (known_.size() >= kMostNetworks) known_.clear();
    const Program program = program_of(with_widths(original_, widths), setup_, *profile_);
    return known_[key_] =
               compose_sums(program, profile_->fitted, map_(program), call_counts(program));
  }

  Model original_;
  Setup setup_;
  std::shared_ptr<const GeneralProfile> profile_;
  std::unique_ptr<Estimator> estimator_;
  RememberedMap map_;
  double wider_ = 1;
  std::map<std::vector<std::int64_t>, ComposedSums> known_;
  std::vector<std::int64_t> key_;
};

}  // namespace

std::unique_ptr<WidthJudge> make_operations_judge(const Model& original, const Setup& setup,
                                                  std::shared_ptr<const GeneralProfile> profile,
                                                  std::unique_ptr<Estimator> estimator) {
  return std::make_unique<OperationsJudge>(original, setup, std::move(profile),
                                           std::move(estimator));
}

}  // namespace ampere
