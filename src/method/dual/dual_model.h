// Host time, device time and dynamic energy modelled apart and composed.
#pragma once

#include <optional>
#include <string>
#include <vector>

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
  TimeMaps maps;
  TimeLaw time;
  EnergyLaw energy;
  Inflation inflation;
  Inflation at_hand;  // of estimates for a host that was just looked at
  CrossValidation check;
};

DualData data_of(const DualEvidence& evidence);

// Throws Error(unknown) when there are too few timings or networks to fit anything.
DualModel fit_dual(const DualData& data);

struct DualPrediction {
  NetworkTime time;  // its standard deviation inflated
  double energy_j = 0, energy_sd = 0;
  Eigen::VectorXd energy_by_block, time_by_block;  // they add up to the whole
  double waiting_j = 0;                            // spent while the device waits for the host
};
// By the laws alone: the times of the blocks are the network's.
DualPrediction predict(const DualModel& model, const MappedNetwork& network);

}  // namespace ampere
