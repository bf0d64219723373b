#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ampere/estimate.h"
#include "estimate/block_pair.h"
#include "estimate/interval.h"
#include "estimate/parts.h"
#include "method/dual/dual.h"
#include "method/dual/dual_composer.h"
#include "method/dual/dual_json.h"
#include "method/dual/models.h"
#include "widths/composed_judge.h"
#include "widths/forms_json.h"

namespace ampere {
namespace {

constexpr double kCertain = 1.645;     // standard deviations between host and device time
constexpr double kWorthSaying = 0.15;  // share of the energy that is spent waiting

class DualEstimator : public Estimator {
 public:
  explicit DualEstimator(SharedDualModel model) : model_(std::move(model)) {}

  Estimate estimate(const Model& network, const Workload& workload) const override {
    return estimate(network, parse_blocks(network), workload);
  }

  Estimate estimate(const Model& network, const std::vector<Block>& blocks,
                    const Workload& workload) const {
    Estimate result;
    result.source = model_->source;
    const std::vector<int> part_of = collect_parts(
        network, blocks, [&](const Block& block) { return model_->maps.contains(block.kind->key); },
        result);
    const NetworkTerms terms = terms_of(network, blocks, model_->setup);
    DualComposer composer(model_);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (part_of[i] != composer.size()) continue;  // uncovered, or a part that is there
      composer.add(terms[i]);
      result.parts[static_cast<std::size_t>(part_of[i])].extrapolated =
          composer.extrapolated(part_of[i]);
    }
    if (!result.uncovered.empty()) return result;
    if (!is_possible(composer.compose(part_of).value())) {
      result.warnings.push_back(kImpossible);
      return result;
    }
    const DualPrediction predicted = composer.prediction();
    share_out(predicted, part_of, result.parts);
    set_totals({predicted.energy_j, predicted.energy_sd},
               {predicted.time.time_s, predicted.time.time_sd}, workload, result);
    if (model_->between_runs)
      result.between_runs = larger(*model_->between_runs, predicted.by_host);
    warn_of_extrapolation(result);
    advise(predicted, workload, result);
    return result;
  }

  std::unique_ptr<WidthJudge> judge(const Model& original) const override {
    return make_composed_judge(original, model_->setup, std::make_unique<DualComposer>(model_),
                               make_dual_estimator(model_));
  }

  std::string what_if(const Model& original) const override {
    Json json = forms_json("dual", original, model_->setup, *this);
    json["laws"] = laws_json(*model_);
    for (Json& kind : json["kinds"])
      kind["map"] = map_json(model_->maps.at(kind.at("key").get_ref<const std::string&>()));
    return json.dump();
  }

  std::optional<CostDifference> difference(const Model& before, const Model& after) const override {
    DualComposer composer(model_);
    const BlockPair pair = add_both(before, after, model_->setup, composer);
    return composer.difference(pair.before, pair.after);
  }

  std::unique_ptr<Estimator> on_host(double slowdown) const override {
    return has_host(*model_) ? make_dual_estimator(with_host(*model_, slowdown)) : nullptr;
  }

 private:
  // Deviations of what errs alike add.
  static void add_alike(std::optional<Quantity>& sum, const Quantity& term) {
    const Quantity before = sum.value_or(Quantity{});
    sum = {before.mean + term.mean, assumed_error(before) + assumed_error(term)};
  }

  // What is not known of the whole is spread over the parts by what they cost.
  static void share_out(const DualPrediction& predicted, const std::vector<int>& part_of,
                        std::vector<Part>& parts) {
    const double energy_spread = predicted.energy_sd / predicted.energy_j;
    const double time_spread = predicted.time.time_sd / predicted.time.time_s;
    for (std::size_t i = 0; i < part_of.size(); ++i) {
      Part& part = parts[static_cast<std::size_t>(part_of[i])];
      const double energy = predicted.energy_by_block[static_cast<Eigen::Index>(i)];
      const double time = predicted.time_by_block[static_cast<Eigen::Index>(i)];
      add_alike(part.energy_j, {energy, energy_spread * std::abs(energy)});
      add_alike(part.time_s, {time, time_spread * time});
    }
  }

  // What the profile's own repeats scatter by, or the host of a network that waits more for it.
  static RelativeErrors larger(const RelativeErrors& one, const RelativeErrors& other) {
    return {std::max(one.energy, other.energy), std::max(one.time, other.time)};
  }

  static void advise(const DualPrediction& predicted, const Workload& workload, Estimate& result) {
    const NetworkTime& time = predicted.time;
    const double gap = time.host_s - time.device_s;
    const double share = predicted.waiting_j / predicted.energy_j;
    if (gap < kCertain * std::hypot(time.host_sd, time.device_sd) || share < kWorthSaying) return;
    result.advice.push_back(fmt::format(
        "host-bound: {:.0f} % of this energy is the device waiting for work to be launched; "
        "replaying the step as a graph (CUDA graphs) would save up to {:.3g} J, a larger batch as "
        "much per sample",
        100 * share, predicted.waiting_j * static_cast<double>(workload.iterations)));
  }

  SharedDualModel model_;
};

// Each network by the model of its family.
class FamiliesEstimator : public Estimator {
 public:
  FamiliesEstimator(ModelFor model_for, bool has_host)
      : model_for_(std::move(model_for)), has_host_(has_host) {}

  Estimate estimate(const Model& network, const Workload& workload) const override {
    const std::vector<Block> blocks = parse_blocks(network);
    return DualEstimator(model_for_(kinds_of(blocks))).estimate(network, blocks, workload);
  }
  std::unique_ptr<WidthJudge> judge(const Model& original) const override {
    return of(original).judge(original);
  }
  std::string what_if(const Model& original) const override {
    return of(original).what_if(original);
  }
  std::optional<CostDifference> difference(const Model& before, const Model& after) const override {
    const SharedDualModel a = model_for_(kinds_of(before)), b = model_for_(kinds_of(after));
    if (a == b) return DualEstimator(a).difference(before, after);
    if (a->hidden != b->hidden) return Estimator::difference(before, after);
    // The same laws, read with the maps of either network.
    auto both = std::make_shared<DualModel>(*a);
    both->maps.insert(b->maps.begin(), b->maps.end());
    return DualEstimator(both).difference(before, after);
  }
  std::unique_ptr<Estimator> on_host(double slowdown) const override {
    if (!has_host_) return nullptr;
    return make_dual_estimator(
        [model_for = model_for_, slowdown](const std::vector<std::string>& kinds) {
          return with_host(*model_for(kinds), slowdown);
        },
        true);
  }

 private:
  DualEstimator of(const Model& network) const {
    return DualEstimator(model_for_(kinds_of(network)));
  }

  ModelFor model_for_;
  bool has_host_;
};

}  // namespace

std::unique_ptr<Estimator> make_dual_estimator(ModelFor model_for, bool has_host) {
  return std::make_unique<FamiliesEstimator>(std::move(model_for), has_host);
}

std::unique_ptr<Estimator> make_dual_estimator(SharedDualModel model) {
  return std::make_unique<DualEstimator>(std::move(model));
}

}  // namespace ampere
