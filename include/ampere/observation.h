// One measurement of one network on one device, success or failure, as it is stored.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ampere/rig.h"

namespace ampere {

struct Observation {
  DeviceInfo device;
  Setup setup;
  Model model;       // the network that was trained: a variant or a whole network
  std::string kind;  // key of the kind it was measured for; empty for whole networks
  std::vector<std::int64_t> features;
  std::optional<Measurement> measurement;  // absent when it failed
  std::string failure;                     // why
  std::string taken_at;                    // UTC, "2026-01-31T12:00:00Z"
};

// Measures `model` now. A network that cannot be measured is an observation too: Error(failed)
// becomes its failure; every other error is passed on.
Observation observe(Rig& rig, Model model, const Setup& setup, const Precision& precision);

}  // namespace ampere
