// Measuring what baselines are fitted to, with as many seconds as another method had.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ampere/observation.h"
#include "ampere/store.h"
#include "method/ampere/profile.h"

namespace ampere {

// What it took to measure some observations.
struct MeasuringCost {
  int points = 0;
  Seconds seconds{};
};
MeasuringCost cost_of(std::span<const Observation> observations);

// Of all points in the store that a plan's kinds were fitted to.
MeasuringCost profile_cost(std::span<const PlannedKind> plan, const Store& store,
                           std::int64_t profile);

struct Gathering {
  Rig& rig;
  std::string rig_name;
  Store& store;
  Setup setup;
  Precision precision;
  Seconds budget{};  // nothing new is begun once so much is used
  std::function<void(Seconds used)> progress;
};

// Whole networks in the order given; layers of them alone, each in all its phases. What is in the
// store already is taken from there, at its cost, so that gathering goes on where it stopped.
std::vector<Observation> gather_networks(const Gathering& gathering,
                                         std::span<const Model> networks);
std::vector<Observation> gather_layers(const Gathering& gathering, std::span<const Model> networks);

}  // namespace ampere
