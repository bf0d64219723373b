// How far estimates are from measurements, on networks nobody has seen before.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
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
  // By kAtHand, made just before each measurement for the host as it was then.
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

// The method whose estimates are also made with the device at hand, just before each measurement:
// the reference was run a moment ago and says how fast the host is now.
inline constexpr const char* kAtHand = "dual";

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

}  // namespace ampere
