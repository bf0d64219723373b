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
  std::optional<Timing> timing;            // of the same network, where the rig can
  std::optional<Pace> pace;                // against a reference, likewise
  std::string taken_at;                    // UTC, "2026-01-31T12:00:00Z"
};

// One block alone, timed.
struct BlockTiming {
  std::string kind;  // key
  std::vector<std::int64_t> features;
  std::optional<Timing> timing;  // absent when it failed
  std::string failure;           // why
  std::string taken_at;          // as an observation's
};

// Measures `model` now. A network that cannot be measured is an observation too: Error(failed)
// becomes its failure; every other error is passed on.
Observation observe(Rig& rig, Model model, const Setup& setup, const Precision& precision);

// With the network's timing and its pace against the reference, where the rig can and one is given;
// what of these fails is left out.
Observation observe_with_times(Rig& rig, Model model, const Model* reference, const Setup& setup,
                               const Precision& precision);

}  // namespace ampere
