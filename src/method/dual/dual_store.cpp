#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "ampere/block.h"
#include "ampere/error.h"
#include "method/dual/dual_model.h"
#include "method/dual/dual_profile.h"
#include "method/dual/refined_blocks.h"
#include "store/idle_window.h"

namespace ampere {
namespace {

const std::string kLaws = "dual laws";
const std::string kMap = "dual map ";  // and the kind

void put_maps(Store& store, std::int64_t profile, const std::map<std::string, std::string>& maps) {
  for (const auto& [kind, map] : maps) store.put_document(profile, {kMap + kind, map});
}

std::vector<Observation> networks_of(const Store& store, std::int64_t profile) {
  return store.find({.profile = profile, .purpose = Purpose::network});
}

}  // namespace

DualPlan missing_of(const DualPlan& plan, const Store& store, std::int64_t profile) {
  std::set<std::pair<std::string, std::vector<std::int64_t>>> timed;
  for (const BlockTiming& timing : store.timings(profile))
    timed.insert({timing.kind, timing.features});
  DualPlan missing;
  const auto untimed = [&](const BlockToTime& block) {
    return !timed.contains({block.kind, block.features});
  };
  std::ranges::copy_if(plan.blocks, std::back_inserter(missing.blocks), untimed);
  std::ranges::copy_if(plan.round_blocks, std::back_inserter(missing.round_blocks), untimed);
  std::set<std::string> measured;
  for (const Observation& network : networks_of(store, profile))
    measured.insert(model_hash(network.model));
  const auto unknown = [&](const Model& network) {
    return !measured.contains(model_hash(network));
  };
  std::ranges::copy_if(plan.networks, std::back_inserter(missing.networks), unknown);
  std::ranges::copy_if(plan.round_networks, std::back_inserter(missing.round_networks), unknown);
  return missing;
}

bool holds_any_of(const Store& store, std::int64_t profile, const std::set<std::string>& networks) {
  const RefinedBlocks refined = refined_blocks(store, profile);
  const auto is_measured = [&](const std::string& hash) {
    return !store
                .find({.profile = profile,
                       .purpose = Purpose::network,
                       .model_hash = hash,
                       .most = 1})
                .empty();
  };
  return std::ranges::any_of(networks, [&](const std::string& hash) {
    return refined.contains(hash) || is_measured(hash);
  });
}

DualEvidence dual_evidence(const Store& store, std::int64_t profile, const Setup& setup,
                           const std::set<std::string>& without) {
  std::vector<Observation> networks = networks_of(store, profile);
  std::vector<BlockTiming> timings = store.timings(profile);
  if (!without.empty()) {
    std::erase_if(networks, [&](const Observation& network) {
      return without.contains(model_hash(network.model));
    });
    const std::set<BlockKey> own = timed_only_for(without, refined_blocks(store, profile));
    std::erase_if(timings, [&](const BlockTiming& timing) {
      return own.contains({timing.kind, timing.features});
    });
  }
  return {setup, std::move(timings), without_drift(std::move(networks)), find_idle(store, profile)};
}

SharedDualModel refit_dual(Store& store, std::int64_t profile, const Setup& setup) try {
  SharedDualModel model = fit_dual(dual_evidence(store, profile, setup));
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

void remember_timings(Store& store, std::int64_t profile, const Model& network) {
  const std::vector<std::string> kinds = kinds_of(network);
  const SharedDualModel known = load_dual(store, profile, kinds);
  if (!known) return;
  RefinedBlocks blocks = refined_blocks(store, profile);
  note_refined(network, *known, blocks);
  const SharedDualModel refined = with_timings(*known, store.timings(profile, kinds));
  store.atomically([&] {
    put_maps(store, profile, to_text(*refined).maps);
    put_refined_blocks(store, profile, blocks);
  });
}

MeasuringCost dual_cost(const Store& store, std::int64_t profile) {
  MeasuringCost cost;
  for (const BlockTiming& timing : store.timings(profile)) {
    if (!timing.timing) continue;
    ++cost.points;
    cost.seconds += timing.timing->elapsed;
  }
  for (const Observation& network : networks_of(store, profile)) {
    if (!network.measurement) continue;
    ++cost.points;
    cost.seconds += network.measurement->elapsed;
    if (network.timing) cost.seconds += network.timing->elapsed;
    if (network.pace) cost.seconds += network.pace->elapsed;
  }
  return cost;
}

}  // namespace ampere
