#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string_view>

#include "ampere/error.h"
#include "base/parallel.h"
#include "method/dual/cross_validation.h"
#include "method/dual/families.h"
#include "method/dual/repeats.h"
#include "method/reference_times.h"

namespace ampere {
namespace {

// By kind; a kind of no network has one.
std::map<std::string, std::int64_t> taps_of_kinds(const DualData& data) {
  std::map<std::string, std::int64_t> taps;
  for (const auto& [kind, points] : data.timings) taps[kind] = 1;
  std::set<std::string_view> seen;
  for (const NetworkRecord& network : data.networks)
    for (const BlockTerms& block : network.blocks)
      if (seen.insert(block.kind).second) taps[block.kind] = block.taps;
  return taps;
}

std::vector<MeasuredNetwork> mapped(const DualData& data, const std::vector<HostPace>& paces,
                                    const Family& family, const TimeMaps& maps) {
  std::vector<MeasuredNetwork> networks;
  for (const std::size_t i : family.networks) {
    const NetworkRecord& record = data.networks[i];
    const bool covered = std::ranges::all_of(
        record.blocks, [&](const BlockTerms& block) { return maps.contains(block.kind); });
    if (covered && record.energy_j > 0 && record.time_s > 0)
      networks.push_back({map_network(record.blocks, maps), record.energy_j, record.time_s,
                          paces[i].steady_s, paces[i].slowdown, record.device_s,
                          record.at_round_widths});
  }
  return networks;
}

// One number per network, the same for those that are made of the same blocks.
std::vector<std::size_t> identities(const std::vector<MeasuredNetwork>& networks) {
  std::map<std::vector<BlockKey>, std::size_t> numbers;
  std::vector<std::size_t> identities;
  for (const MeasuredNetwork& network : networks)
    identities.push_back(
        numbers.emplace(keys_of(network.network.blocks), numbers.size()).first->second);
  return identities;
}

}  // namespace

FittedMaps fit_maps(const DualData& data, const Kinds& kinds,
                    const std::function<void(const std::string& kind)>& before) {
  std::vector<const std::pair<const std::string, std::vector<TimedPoint>>*> timed;
  for (const auto& entry : data.timings)
    if (kinds.contains(entry.first)) timed.push_back(&entry);
  const std::map<std::string, std::int64_t> taps = taps_of_kinds(data);
  std::vector<std::optional<TimeMap::Validated>> validated(timed.size());
  in_parallel(
      timed.size(),
      [&](std::size_t i) {
        validated[i] = TimeMap::fit_validated(timed[i]->second, taps.at(timed[i]->first));
      },
      [&](std::size_t i) {
        if (before) before(timed[i]->first);
      });
  FittedMaps fitted;
  for (std::size_t i = 0; i < timed.size(); ++i) {
    fitted.maps.emplace(timed[i]->first, std::move(validated[i]->map));
    fitted.untimed.emplace(timed[i]->first, std::move(validated[i]->untimed));
  }
  return fitted;
}

std::vector<HostPace> host_paces(const DualData& data) {
  ReferenceTimes all, before;
  for (const NetworkRecord& record : data.networks) all.add(record.pace);
  std::vector<HostPace> paces;
  for (const NetworkRecord& record : data.networks) {
    HostPace pace{.steady_s = record.time_s};
    if (record.pace && has_times(*record.pace)) {
      const double usual_s = all.usual_s(record.pace->reference);
      pace.slowdown = slowdown_by(before.of(record.pace->reference), usual_s);
      pace.steady_s = steady_time_s(*record.pace, usual_s, record.device_s);
      before.add(record.pace);
    }
    paces.push_back(pace);
  }
  return paces;
}

DualModel fit_family(const DualData& data, const std::vector<HostPace>& paces, const Family& family,
                     const FittedMaps& maps) {
  Fitted fitted{mapped(data, paces, family, maps.maps), {}, maps.maps, maps.untimed, data.idle};
  fitted.identity = identities(fitted.networks);
  const std::size_t different = fitted.networks.empty() ? 0 : std::ranges::max(fitted.identity) + 1;
  if (different < kLeastNetworks)
    throw Error(ErrorCode::unknown,
                fmt::format("{} different networks of {} that were measured are made of blocks "
                            "that were timed, and at least {} are needed",
                            different, data.networks.size(), kLeastNetworks));
  DualModel model;
  model.source = data.source;
  model.hidden = family.hidden;
  model.time.synchronous = std::ranges::none_of(
      maps.maps, [](const auto& entry) { return entry.second.parts().has_host; });
  std::vector<const MeasuredNetwork*> all;
  for (const MeasuredNetwork& network : fitted.networks) all.push_back(&network);
  fit_laws(model, all, data.idle);
  calibrate(model, fitted);
  model.between_runs = scatter_of_repeats(fitted.networks, fitted.identity);
  return model;
}

DualModel fit_dual(const DualData& data) {
  Family everything;
  everything.networks.resize(data.networks.size());
  std::iota(everything.networks.begin(), everything.networks.end(), std::size_t{0});
  Kinds kinds;
  for (const auto& [kind, points] : data.timings) kinds.insert(kind);
  FittedMaps maps = fit_maps(data, kinds);
  DualModel model = fit_family(data, host_paces(data), everything, maps);
  model.maps = std::move(maps.maps);
  return model;
}

}  // namespace ampere
