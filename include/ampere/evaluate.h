// How far estimates are from measurements, on networks nobody has seen before.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "ampere/estimate.h"
#include "ampere/profiling.h"
#include "ampere/rig.h"

namespace ampere {

struct MethodRecord {
  std::string name;
  int points = 0;
  Seconds seconds{};
};

struct NetworkEstimate {  // per iteration
  std::optional<Interval> energy_j, time_s;
  std::string reason;  // why there is none
};

// The host at the speed it had while profiling. Where it drifts, networks are compared at that
// speed too: E + P0 (T* − T), with T* from the network's pace against the reference.
struct SteadyHost {
  Model reference;
  double reference_s = 0;             // an iteration of it, on average
  double ready_w = 0;                 // P0: the device ready and doing nothing
  std::vector<double> latest_s = {};  // an iteration of it, the last times in the profile
};

struct EvaluatedNetwork {
  Model model;
  std::map<std::string, NetworkEstimate> estimates;  // by method; made before it was measured
  std::vector<Measurement> measurements;             // two, apart in time
  std::vector<std::optional<Pace>> paces;            // one a measurement
  // By at_hand_method(), made just before each measurement for the host as it was then.
  std::vector<std::optional<NetworkEstimate>> at_hand;
  std::optional<double> device_s;  // with the device never waiting
  std::string failure;             // why there are fewer
};

struct Evaluation {
  std::string family;
  DeviceInfo device;
  Setup setup;
  unsigned seed = 0;
  std::string begun_at;
  Seconds profile_seconds{};
  std::optional<SteadyHost> steady;
  std::vector<MethodRecord> methods;
  std::vector<EvaluatedNetwork> networks;
};

inline constexpr double kEvaluationConfidence = 0.9;  // of the estimates' intervals

struct EvaluationTask {
  std::string family;            // a zoo name, or what else these networks have in common
  std::vector<Model> originals;  // profiled, so that they and all narrower ones can be estimated
  std::vector<Model> tests;      // estimated, then measured
  std::vector<Model> training;   // what baselines are fitted to, as many as their seconds allow
};
EvaluationTask family_task(const std::string& family, int networks, unsigned seed);
// Of inference: variants of a zoo network, of which also the baselines' networks are.
EvaluationTask variants_task(const std::string& family, int networks, unsigned seed);
EvaluationTask models_task(const std::string& name, std::vector<Model> models, unsigned seed);

struct EvaluationOptions {
  std::vector<std::string> methods;  // by name; all that serve the setup's phase when empty
  unsigned seed = 0;
  ProfileOptions profile;
  std::optional<Seconds> baseline_limit;  // for what each kind of baseline measures, at most
  Precision precision;                    // of the networks under test
  bool resample = false;  // keeps to what the rig has an answer for: a recording, asked otherwise
  bool afresh = false;    // measures again what an earlier run of the same evaluation had measured
};

// The method of this phase whose estimates are also made with the device at hand, just before each
// measurement: the reference was run a moment ago and says how fast the host is now.
const char* at_hand_method(Phase phase);

struct MethodScore {
  std::optional<Accuracy> energy, time;  // absent when no network has both numbers
  int compared = 0;                      // networks in it
  std::optional<Accuracy> steady;        // of energy, with the host at the speed of the profile
  // Of the estimates made just before.
  std::optional<Accuracy> at_hand = std::nullopt, at_hand_time = std::nullopt;
};

struct Scores {
  std::map<std::string, MethodScore> methods;
  // MAPE of the second measurement against the first; absent when nothing was measured twice.
  std::optional<double> energy_repeat_noise, time_repeat_noise, steady_repeat_noise;
  // Mean time of the reference between the measurements over that while profiling, less 1.
  std::optional<double> host_drift;
};

// Estimates against the mean of the two measurements. Networks that failed, and those a method does
// not cover, are left out of its score.
Scores score(const Evaluation& evaluation);

// The networks of all of them as one evaluation, so that they are scored together. They are of one
// device and setup.
Evaluation pool(std::span<const Evaluation> evaluations);

// With every window, so that nothing has to be measured again. Reading throws Error(usage).
std::string to_text(const Evaluation& evaluation);
Evaluation parse_evaluation(const std::string& text, const std::string& origin);

// One row a network: measured values of both rounds, then mean, low and high of every method.
std::string to_csv(const Evaluation& evaluation);

// --- suites: training steps that are estimated, then measured; the estimates are kept before

struct SuiteEntry {
  std::string name;  // distinct in its suite: "densenet121, batch 32, bf16"
  std::variant<TraceRequest::Network, Script> step;
};

struct Suite {
  std::string name;
  std::vector<SuiteEntry> entries;
};

// What the maker of a device states. Peers are computed from it.
struct DataSheet {
  double watts = 0;                                        // of the board
  double fp32_flops = 0, half_flops = 0, bytes_per_s = 0;  // per second, each above 0
};

struct SuiteOptions {
  Precision precision{.relative_error = 0.02, .time_limit = Seconds(2.5)};
  int timed = 30;                       // operations of each program, when the device is at hand
  std::optional<DataSheet> sheet = {};  // of the device; absent: by its name, where that is known
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
  // Roofline by the data sheet of the device and the power stated there; absent without a sheet.
  std::optional<double> sheet_s = {}, sheet_w = {};
  std::vector<SuiteEstimate> estimates;  // by SuiteWay; empty after a failure
  // Of a model: by every other method that has a profile of exactly this setup on the device.
  std::map<std::string, NetworkEstimate> methods = {};
  std::optional<Measurement> measured;
  std::string failure;                    // of tracing, estimating or measuring; otherwise empty
  std::string estimated_at, measured_at;  // UTC
};

// What another tool says of the steps of a suite, by entry; per iteration.
struct SuitePeer {
  std::string name;
  std::map<std::string, double> energy_j = {}, time_s = {};
};

// How far the energies and times of one way are off; ratios as fractions.
struct SuiteScore {
  std::string name;
  int steps = 0;
  std::optional<double> energy_mape, energy_p90, energy_bias;  // absent where only times are known
  std::optional<double> energy_coverage;  // of 90 % intervals; absent for baselines
  std::optional<double> time_mape, time_coverage;
};

// The ways of ours, the other methods, then baselines that were fitted to the measured steps of all
// other families, one fit per number format, those of the data sheet, and the peers. Without
// results that have both an estimate and a measurement there is none.
std::vector<SuiteScore> score_suite(const std::vector<SuiteResult>& results,
                                    std::span<const SuitePeer> peers = {});

}  // namespace ampere
