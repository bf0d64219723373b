#include "method/operations/operations_judge.h"

#include <fmt/format.h>

#include <map>

#include "ampere/error.h"
#include "estimate/causes.h"
#include "method/operations/operations_method.h"
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
      program_of(original, setup, *profile_);
    } catch (const Error& error) {
      throw Error(ErrorCode::unknown,
                  fmt::format("{} has no cost at other widths: {}", original.name(), error.what()));
    }
  }

  std::optional<Judgement> judge(std::span<const std::int64_t> widths) override {
    const StepIntervals intervals = intervals_of(at(widths), profile_->fitted, kUsualConfidence);
    const Quantity energy = to_quantity(intervals.energy_j);
    return Judgement{energy.mean, energy.stddev.value(), intervals.time_s.mean, false};
  }

  // It reaches further up than down, and further on the side of other hosts.
  std::optional<Interval> energy_interval(std::span<const std::int64_t> widths,
                                          double confidence) override {
    return intervals_of(at(widths), profile_->fitted, confidence).energy_j;
  }

  CostCauses causes(std::span<const std::int64_t> widths) override {
    const Model network = with_widths(original_, widths);
    const Estimate estimate = estimator_->estimate(network, {});
    require_covered(estimate, network);
    return {{}, {}, cost_parts(estimate)};
  }

 private:
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
