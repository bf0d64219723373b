#include "method/dual/dual_store.h"

#include <algorithm>
#include <iterator>

#include "ampere/block.h"
#include "ampere/error.h"
#include "base/json.h"
#include "method/dual/dual.h"
#include "method/dual/dual_profile.h"
#include "record/record_json.h"

namespace ampere {
namespace {

const std::string kLaws = "dual laws";
const std::string kMap = "dual map ";  // and the kind
const std::string kIdle = "idle window";

}  // namespace

void put_idle(Store& store, std::int64_t profile, const Window& window) {
  store.put_document(profile, {kIdle, window_json(window).dump()});
}

std::optional<Window> find_idle(const Store& store, std::int64_t profile) {
  const auto text = store.document(profile, kIdle);
  if (!text) return std::nullopt;
  const Json json = parse_json(*text, kIdle);
  return read_window(JsonField(json, kIdle + ": "));
}

TimedBlocks timed_blocks(const Store& store, std::int64_t profile) {
  TimedBlocks timed;
  for (const BlockTiming& timing : store.timings(profile))
    timed.insert({timing.kind, timing.features});
  return timed;
}

void put_maps(Store& store, std::int64_t profile, const std::map<std::string, std::string>& maps) {
  for (const auto& [kind, map] : maps) store.put_document(profile, {kMap + kind, map});
}

DualPlan missing_of(const DualPlan& plan, const Store& store, std::int64_t profile) {
  const TimedBlocks timed = timed_blocks(store, profile);
  DualPlan missing;
  const auto untimed = [&](const BlockToTime& block) {
    return !timed.contains({block.kind, block.features});
  };
  std::ranges::copy_if(plan.blocks, std::back_inserter(missing.blocks), untimed);
  std::ranges::copy_if(plan.round_blocks, std::back_inserter(missing.round_blocks), untimed);
  const auto unknown = [&](const Model& network) {
    return store
        .find({.profile = profile, .purpose = Purpose::network, .model_hash = model_hash(network)})
        .empty();
  };
  std::ranges::copy_if(plan.networks, std::back_inserter(missing.networks), unknown);
  std::ranges::copy_if(plan.round_networks, std::back_inserter(missing.round_networks), unknown);
  return missing;
}

SharedDualModel refit_dual(Store& store, std::int64_t profile, const Setup& setup) {
  try {
    const DualEvidence evidence{
        setup, store.timings(profile),
        without_drift(store.find({.profile = profile, .purpose = Purpose::network})),
        find_idle(store, profile)};
    SharedDualModel model = fit_dual(evidence);
    const DualText text = to_text(*model);
    store.atomically([&] {
      store.put_document(profile, {kLaws, text.laws});
      put_maps(store, profile, text.maps);
    });
    return model;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unknown) throw;
    return nullptr;
  }
}

SharedDualModel load_dual(const Store& store, std::int64_t profile,
                          const std::vector<std::string>& kinds) {
  const auto laws = store.document(profile, kLaws);
  if (!laws) return nullptr;
  DualText text{*laws, {}};
  if (kinds.empty()) {
    for (const StoredDocument& document : store.documents(profile))
      if (document.name.starts_with(kMap))
        text.maps[document.name.substr(kMap.size())] = document.text;
  }
  for (const std::string& kind : kinds)
    if (auto map = store.document(profile, kMap + kind)) text.maps[kind] = std::move(*map);
  return parse_dual(text);
}

bool has_dual(const Store& store, std::int64_t profile) {
  return store.document(profile, kLaws).has_value();
}

DualCost dual_cost(const Store& store, std::int64_t profile) {
  DualCost cost;
  for (const BlockTiming& timing : store.timings(profile)) {
    if (!timing.timing) continue;
    ++cost.timings;
    cost.seconds += timing.timing->elapsed;
  }
  for (const Observation& network : store.find({.profile = profile, .purpose = Purpose::network})) {
    if (!network.measurement) continue;
    ++cost.networks;
    cost.seconds += network.measurement->elapsed;
    if (network.timing) cost.seconds += network.timing->elapsed;
    if (network.pace) cost.seconds += network.pace->elapsed;
  }
  return cost;
}

}  // namespace ampere
