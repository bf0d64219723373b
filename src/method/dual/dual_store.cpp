#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "ampere/block.h"
#include "method/dual/dual_json.h"
#include "method/dual/dual_model.h"
#include "method/dual/dual_profile.h"
#include "method/dual/families.h"
#include "method/dual/family_index.h"
#include "method/dual/refined_blocks.h"
#include "store/idle_window.h"

namespace ampere {
namespace {

const std::string kMap = "dual map ";  // and the kind

std::vector<Observation> networks_of(const Store& store, std::int64_t profile) {
  return store.find({.profile = profile, .purpose = Purpose::network});
}

}  // namespace

void put_maps(Store& store, std::int64_t profile, const TimeMaps& maps) {
  for (const auto& [kind, map] : maps) store.put_document(profile, {kMap + kind, to_text(map)});
}

DualPlan missing_of(const DualPlan& plan, const Store& store, std::int64_t profile) {
  std::set<BlockKey> timed;
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

bool has_dual(const Store& store, std::int64_t profile) {
  return store.document(profile, laws_document(0)).has_value();
}

TimeMaps load_maps(const Store& store, std::int64_t profile,
                   const std::vector<std::string>& kinds) {
  TimeMaps maps;
  for (const std::string& kind : kinds)
    if (const auto text = store.document(profile, kMap + kind))
      maps.emplace(kind, parse_map(*text, kind));
  return maps;
}

SharedDualModel load_dual(const Store& store, std::int64_t profile,
                          const std::vector<std::string>& kinds) {
  const FamilyIndex index = family_index(store, profile);
  if (index.families.empty()) return nullptr;
  const std::size_t family = kinds.empty() ? 0 : find_family(index, kinds).value_or(0);
  DualText text{store.document(profile, index.families[family].laws).value_or(""), {}};
  if (kinds.empty()) {
    for (const StoredDocument& document : store.documents(profile))
      if (document.name.starts_with(kMap))
        text.maps[document.name.substr(kMap.size())] = document.text;
  }
  for (const std::string& kind : kinds)
    if (auto map = store.document(profile, kMap + kind)) text.maps[kind] = std::move(*map);
  return parse_dual(text);
}

void remember_timings(Store& store, std::int64_t profile, const Model& network) {
  const std::vector<std::string> kinds = kinds_of(network);
  if (!has_dual(store, profile)) return;
  TimeMaps maps = load_maps(store, profile, kinds);
  RefinedBlocks blocks = refined_blocks(store, profile);
  note_refined(network, maps, blocks);
  learn(maps, store.timings(profile, kinds));
  store.atomically([&] {
    put_maps(store, profile, maps);
    put_refined_blocks(store, profile, blocks);
  });
}

DualCosts dual_costs(const Store& store, std::int64_t profile) {
  return {cost_of(store.timings(profile)), cost_with_times_of(networks_of(store, profile))};
}

MeasuringCost dual_cost(const Store& store, const ProfileRow& profile,
                        std::span<const Model> originals) {
  const DualData data = data_of(dual_evidence(store, profile.id, profile.setup));
  const std::vector<Family> families = families_of(data.networks);
  std::vector<Kinds> hidden;
  for (const Family& family : families) hidden.push_back(family.hidden);
  std::set<std::size_t> networks;
  std::set<std::string> kinds;
  for (const Model& original : originals) {
    const std::vector<std::string> own = kinds_of(original);
    kinds.insert(own.begin(), own.end());
    if (const auto family = find_family(hidden, hidden_kinds(own)))
      networks.insert(families[*family].networks.begin(), families[*family].networks.end());
  }
  MeasuringCost cost;
  for (const std::size_t network : networks) {
    ++cost.points;
    cost.seconds += data.networks[network].took;
    for (const BlockTerms& block : data.networks[network].blocks) kinds.insert(block.kind);
  }
  const MeasuringCost timings =
      cost_of(store.timings(profile.id, std::vector(kinds.begin(), kinds.end())));
  return {cost.points + timings.points, cost.seconds + timings.seconds};
}

}  // namespace ampere
