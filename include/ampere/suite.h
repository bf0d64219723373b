// Training steps that estimates are judged by: each is estimated, the estimates are kept, and only
// then it is measured.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ampere/estimate.h"
#include "ampere/rig.h"

namespace ampere {

struct SuiteEntry {
  std::string name;  // distinct in its suite: "densenet121, batch 32, bf16"
  std::variant<TraceRequest::Network, Script> step;
};

struct Suite {
  std::string name;
  std::vector<SuiteEntry> entries;
};

struct SuiteOptions {
  Precision precision{.relative_error = 0.02, .time_limit = Seconds(2.5)};
  int timed = 30;  // operations of each program, when the device is at hand
};

// What an estimate may know apart from the profile's laws.
enum class SuiteWay {
  alone,           // the profile, without anything of the step's own family
  at_hand,         // and the device: dear operations timed, the host looked at at a small batch
  family_alone,    // the profile, its own family at other batches included
  family_at_hand,  // and the device
};
inline constexpr std::size_t kSuiteWays = 4;
const char* to_string(SuiteWay way);

struct SuiteEstimate {
  Interval energy_j, time_s;  // per iteration
  double host_s = 0, device_s = 0;
};

struct SuiteResult {
  std::string entry, family;
  std::string program;                                          // its hash
  bool half = false;                                            // mostly in numbers of 16 bits
  double flops = 0, bytes = 0, operations = 0, roofline_s = 0;  // for the baselines
  std::vector<SuiteEstimate> estimates;  // by SuiteWay; empty after a failure
  std::optional<Measurement> measured;
  std::string failure;                    // of tracing, estimating or measuring; otherwise empty
  std::string estimated_at, measured_at;  // UTC
};

// How far the energies and times of one way are off; ratios as fractions.
struct SuiteScore {
  std::string name;
  int steps = 0;
  double energy_mape = 0, energy_p90 = 0, energy_bias = 0;
  std::optional<double> energy_coverage;  // of 90 % intervals; absent for baselines
  std::optional<double> time_mape, time_coverage;
};

// The ways of ours, then baselines that were fitted to the measured steps of all other families,
// one fit per number format. Without results that have both an estimate and a measurement there is
// none.
std::vector<SuiteScore> score_suite(const std::vector<SuiteResult>& results);

}  // namespace ampere
