// One measurement of one network on one device, success or failure, as it is stored.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ampere/rig.h"

namespace ampere {

// What an observation was taken for, which decides who reads it.
enum class Purpose {
  network,   // a whole network that methods learn from
  variant,   // a point of a block kind, which the kind's fit rests on
  test,      // a point of a block kind, kept out of every fit
  check,     // a whole network, kept out of every fit
  kernel,    // one kernel of inference
  fusion,    // neighbouring operators of inference, together or apart
  overhead,  // an inference of nothing
};
const char* to_string(Purpose purpose);
Purpose parse_purpose(const std::string& text);  // throws Error(usage)

// Whether observations of this purpose belong to a kind: variants and tests to a block kind, by its
// key, and kernels to their type.
bool has_kind(Purpose purpose);
// False for tests and checks.
bool enters_fits(Purpose purpose);

struct Observation {
  DeviceInfo device;
  Setup setup;
  Model model;  // the network that was run
  Purpose purpose = Purpose::network;
  std::string kind;                    // empty unless has_kind(purpose)
  std::vector<std::int64_t> features;  // of a variant or a test, in the order of its kind
  // A whole network at the widths people choose, measured for a profile whose other networks have
  // random ones. It is larger, or works better, than all of those.
  bool round_widths = false;
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
