#include "serve/pruned_json.h"

#include "base/or_null.h"
#include "model/model_json.h"
#include "report/estimate_json.h"

namespace ampere {
namespace {

Json widths_json(const WidthSpace& space, const std::vector<std::int64_t>& widths) {
  Json list = Json::array();
  for (std::size_t i = 0; i < widths.size(); ++i)
    list.push_back({{"name", space.widths[i].name}, {"value", widths[i]}});
  return list;
}

// Of one iteration.
Json network_json(const WidthSpace& space, const PrunedNetwork& network) {
  return {{"widths", widths_json(space, network.widths)},
          {"parameters", count(network.model, 1).parameters},
          {"energy_j", network.estimated.energy_j},
          {"upper_j", network.upper_j},
          {"time_s", or_null(network.estimated.time_s)},
          {"extrapolated", network.estimated.extrapolated}};
}

}  // namespace

Json pruned_json(const AskedPrune& asked, const ProfileRow& profile, const PruneResult& result) {
  Json pruned = network_json(result.space, result.pruned);
  pruned["network"] = {{"model", model_json(result.pruned.model)}};
  return {{"model", asked.name},
          {"profile", profile_name(profile)},
          {"method", asked.task.method},
          {"source", to_string(profile.device.source)},
          {"budget", to_string(asked.task.budget)},
          {"budget_j", result.budget_j},
          {"confidence", asked.task.confidence},
          {"judged", result.judged},
          {"original", network_json(result.space, result.original)},
          {"pruned", std::move(pruned)},
          {"warnings", result.warnings}};
}

}  // namespace ampere
