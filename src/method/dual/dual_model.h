// Host time, device time and dynamic energy modelled apart and composed.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ampere/units.h"
#include "method/dual/dual.h"
#include "method/dual/energy_law.h"
#include "method/dual/time_law.h"
#include "method/dual/time_map.h"

namespace ampere {

// A network that was measured, before anything is known of its blocks.
struct NetworkRecord {
  NetworkTerms blocks;
  double energy_j = 0, time_s = 0;  // per iteration
  std::optional<double> device_s;
  std::optional<Pace> pace;
  bool at_round_widths = false;  // never left out to see how far the model is off
  Seconds took{};                // to measure
};

struct DualData {
  std::map<std::string, std::vector<TimedPoint>> timings;  // by kind
  std::vector<NetworkRecord> networks;
  std::optional<Window> idle;
  Source source = Source::measured;  // the weakest of the networks'
};

// Of the standard deviations, so that the stated intervals hold what they state.
struct Inflation {
  double energy = 1, time = 1;
};

struct DualModel {
  Setup setup;
  Source source = Source::measured;
  std::set<std::string> hidden;  // kinds of the family it is for (families.h); empty: of any
  TimeMaps maps;
  TimeLaw time;
  EnergyLaw energy;
  Inflation inflation;
  Inflation at_hand;  // of estimates for a host that was just looked at
  // Of networks that were measured several times; absent where none was.
  std::optional<RelativeErrors> between_runs;
  CrossValidation check;
};

DualData data_of(const DualEvidence& evidence);

// Different networks that laws need at least.
inline constexpr std::size_t kLeastNetworks = 4;

// All networks as one family. Throws Error(unknown) when there are too few timings or networks to
// fit anything.
DualModel fit_dual(const DualData& data);

// The same in steps, for several families at once: maps of these kinds, each announced before it is
// fitted; the host while each network was measured; and laws for a family, which has
// no maps of its own yet.
using UntimedBlocks =
    std::map<std::string, std::map<std::vector<std::int64_t>, double>>;  // device_s by kind, widths
struct FittedMaps {
  TimeMaps maps;
  UntimedBlocks untimed;  // what they would say of blocks that were timed, if they had not been
};
FittedMaps fit_maps(const DualData& data, const std::set<std::string>& kinds,
                    const std::function<void(const std::string& kind)>& before = {});

struct HostPace {
  double steady_s = 0;  // the network's time at the host's usual speed, where its pace is known
  double slowdown = 1;  // of the host, by the paces before it
};
std::vector<HostPace> host_paces(const DualData& data);

struct Family;
DualModel fit_family(const DualData& data, const std::vector<HostPace>& paces, const Family& family,
                     const FittedMaps& maps);

// Makes the device times of these blocks known to the maps of their kinds.
void learn(TimeMaps& maps, std::span<const BlockTiming> timings);

struct DualPrediction {
  NetworkTime time;  // its standard deviation inflated
  double energy_j = 0, energy_sd = 0;
  RelativeErrors by_host;                          // the part of both that comes from the host
  Eigen::VectorXd energy_by_block, time_by_block;  // they add up to the whole
  double waiting_j = 0;                            // spent while the device waits for the host
};
// By the laws alone: the times of the blocks are the network's.
DualPrediction predict(const DualModel& model, const MappedNetwork& network);

}  // namespace ampere
