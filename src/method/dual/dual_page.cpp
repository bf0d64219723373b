#include "method/dual/dual_page.h"

#include <algorithm>
#include <map>

#include "ampere/block.h"
#include "ampere/estimate.h"
#include "base/or_null.h"
#include "method/dual/dual.h"
#include "method/dual/dual_model.h"
#include "method/dual/dual_profile.h"
#include "method/dual/family_index.h"
#include "method/dual/models.h"
#include "method/window_shelf.h"

namespace ampere {
namespace {

constexpr std::size_t kMostTimings = 300;  // of a kind
constexpr std::size_t kMostNetworks = 400;

using KindsByKey = std::map<std::string, std::shared_ptr<const BlockKind>>;  // by key

KindsByKey kinds_in(const std::vector<Observation>& networks) {
  KindsByKey kinds;
  for (const Observation& network : networks)
    for (const Block& block : parse_blocks(network.model))
      kinds.emplace(block.kind->key, block.kind);
  return kinds;
}

std::map<std::string, std::vector<BlockTiming>> by_kind(std::vector<BlockTiming> timings) {
  std::map<std::string, std::vector<BlockTiming>> sorted;
  for (BlockTiming& timing : timings)
    if (timing.timing) sorted[timing.kind].push_back(std::move(timing));
  return sorted;
}

// What a map says of widths it was not told: at those it was, it only remembers.
TimeMap without_memory(const TimeMap& map) {
  TimeMap::Parts parts = map.parts();
  parts.timed.clear();
  return TimeMap(std::move(parts));
}

Json points_json(const std::vector<BlockTiming>& timings, const TimeMaps& maps) {
  const auto map = maps.find(timings.front().kind);
  const auto general =
      map == maps.end() ? std::nullopt : std::optional(without_memory(map->second));
  Json points = Json::array();
  for (std::size_t i = 0; i < std::min(timings.size(), kMostTimings); ++i) {
    const BlockTiming& timing = timings[i];
    points.push_back(
        {{"features", timing.features},
         {"device_s", rounded(timing.timing->device_s)},
         {"host_s", or_null(timing.timing->host_s)},
         {"predicted_device_s",
          general ? Json(rounded((*general)(timing.features).device_s)) : Json(nullptr)}});
  }
  return points;
}

Json kind_json(const std::string& key, const std::vector<BlockTiming>& timings,
               const KindsByKey& kinds, const TimeMaps& maps) {
  const auto kind = kinds.find(key);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < timings.front().features.size(); ++i)
    names.push_back(kind != kinds.end() ? kind->second->features[i].name
                                        : "width " + std::to_string(i + 1));
  const std::string title = kind != kinds.end() ? kind->second->title : key;
  return {{"kind", title},
          {"title", title},
          {"key", key},
          {"role", kind != kinds.end() ? Json(to_string(kind->second->role)) : Json(nullptr)},
          {"feature_names", std::move(names)},
          {"points", points_json(timings, maps)},
          {"points_left_out", timings.size() - std::min(timings.size(), kMostTimings)}};
}

Json network_json(const Observation& network, const Estimator& estimator, WindowShelf& windows) {
  const Measurement& measured = *network.measurement;
  const Estimate fitted = estimator.estimate(network.model, {});
  const auto mean_of = [](const std::optional<Quantity>& quantity) {
    return quantity ? Json(rounded(quantity->mean)) : Json(nullptr);
  };
  const auto error_of = [](const std::optional<Quantity>& quantity) {
    return quantity && quantity->stddev ? Json(rounded(*quantity->stddev)) : Json(nullptr);
  };
  return {{"model", network.model.name()},
          {"measured_j", measured.energy_j.mean},
          {"measured_j_sd", error_of(measured.energy_j)},
          {"fitted_j", mean_of(fitted.energy_j_per_iteration)},
          {"fitted_j_sd", error_of(fitted.energy_j_per_iteration)},
          {"measured_s", measured.time_s.mean},
          {"measured_s_sd", error_of(measured.time_s)},
          {"fitted_s", mean_of(fitted.time_s_per_iteration)},
          {"fitted_s_sd", error_of(fitted.time_s_per_iteration)},
          {"taken_at", network.taken_at},
          {"windows", windows.add(measured)}};
}

}  // namespace

Json dual_content(const Store& store, const ProfileRow& profile, WindowShelf& windows) {
  const SharedDualModel model = load_dual(store, profile.id);
  if (!model) return nullptr;
  std::vector<Observation> networks =
      store.find({.profile = profile.id, .purpose = Purpose::network, .most = kMostNetworks + 1});
  const bool more = networks.size() > kMostNetworks;
  if (more) networks.pop_back();
  const auto estimator =
      make_dual_estimator(stored_models(store, profile.id, profile.setup), has_host(*model));
  const KindsByKey kinds = kinds_in(networks);
  Json timings = Json::array(), measured = Json::array();
  for (const auto& [key, of_kind] : by_kind(store.timings(profile.id)))
    timings.push_back(kind_json(key, of_kind, kinds, model->maps));
  for (const Observation& network : networks)
    if (network.measurement) measured.push_back(network_json(network, *estimator, windows));
  const CrossValidation check = check_of(family_index(store, profile.id));
  return {{"check",
           {{"networks", check.networks},
            {"energy_mape", check.energy_mape},
            {"time_mape", check.time_mape}}},
          {"ready_w", model->energy.ready_w},
          {"synchronous", model->time.synchronous},
          {"timings", std::move(timings)},
          {"networks", std::move(measured)},
          {"more_networks", more}};
}

}  // namespace ampere
