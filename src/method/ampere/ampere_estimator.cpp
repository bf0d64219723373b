#include "ampere/estimate.h"
#include "estimate/block_pair.h"
#include "estimate/interval.h"
#include "estimate/parts.h"
#include "method/ampere/ampere_composer.h"
#include "method/ampere/fit_json.h"
#include "widths/composed_judge.h"
#include "widths/forms_json.h"

namespace ampere {
namespace {

Quantity times(int count, const Quantity& one) {
  return {count * one.mean, count * assumed_error(one)};
}

class AmpereEstimator : public Estimator {
 public:
  AmpereEstimator(SharedFits fits, const Setup& setup) : fits_(std::move(fits)), setup_(setup) {}

  Estimate estimate(const Model& model, const Workload& workload) const override {
    Estimate result;
    const std::vector<int> part_of = collect_parts(
        model, parse_blocks(model),
        [&](const Block& block) { return fits_->contains(block.kind->key); }, result);
    AmpereComposer composer(fits_);
    for (Part& part : result.parts) {
      composer.add({.kind = part.kind, .features = part.features});
      const AmpereComposer::Cost& cost = composer.cost(composer.size() - 1);
      part.energy_j = times(part.count, cost.energy);
      part.time_s = times(part.count, cost.time);
      part.extrapolated = cost.extrapolated;
      result.source = std::max(result.source, cost.fit->source);
    }
    if (result.uncovered.empty()) conclude(composer, part_of, workload, result);
    return result;
  }

  std::optional<CostDifference> difference(const Model& before, const Model& after) const override {
    AmpereComposer composer(fits_);
    const BlockPair pair = add_both(before, after, setup_, composer);
    return composer.difference(pair.before, pair.after);
  }

  std::unique_ptr<WidthJudge> judge(const Model& original) const override {
    return make_composed_judge(original, setup_, std::make_unique<AmpereComposer>(fits_),
                               std::make_unique<AmpereEstimator>(fits_, setup_));
  }

  std::string what_if(const Model& original) const override {
    Json json = forms_json("ampere", original, setup_, *this);
    for (Json& kind : json["kinds"])
      kind["fit"] = fit_json(fits_->at(kind.at("key").get_ref<const std::string&>()));
    return json.dump();
  }

 private:
  static void conclude(AmpereComposer& composer, const std::vector<int>& part_of,
                       const Workload& workload, Estimate& result) {
    const NetworkCost cost = composer.compose(part_of).value();
    if (!is_possible(cost)) {
      result.warnings.push_back(kImpossible);
      return;
    }
    set_totals({cost.energy_j, cost.energy_sd}, {cost.time_s, composer.time_sd()}, workload,
               result);
    warn_of_extrapolation(result);
  }

  SharedFits fits_;
  Setup setup_;
};

}  // namespace

std::unique_ptr<Estimator> make_ampere_estimator(Fits fits, const Setup& setup) {
  return std::make_unique<AmpereEstimator>(std::make_shared<const Fits>(std::move(fits)), setup);
}

}  // namespace ampere
