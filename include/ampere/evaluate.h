// How far estimates are from measurements, on networks nobody has seen before.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ampere/accuracy.h"
#include "ampere/estimate.h"
#include "ampere/rig.h"

namespace ampere {

// An estimator under test, and what it was allowed to see.
struct Method {
  std::string name;
  std::shared_ptr<const Estimator> estimator;
  int points = 0;     // measurements it was fitted to
  Seconds seconds{};  // that these took
};

struct MethodRecord {
  std::string name;
  int points = 0;
  Seconds seconds{};
};

struct NetworkEstimate {  // per iteration
  std::optional<Predicted> energy_j, time_s;
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

NetworkEstimate estimate_network(const Estimator& estimator, const Model& model);

// Everything but the measurements: each network estimated by each method.
Evaluation begin_evaluation(std::string family, const DeviceInfo& device, const Setup& setup,
                            unsigned seed, std::span<const Model> networks,
                            std::span<const Method> methods);

// An estimate of the same network with the device at hand: the reference was run on it a moment
// ago, and says how many times as long as while profiling the host takes.
inline constexpr const char* kAtHand = "dual";
using EstimateAtHand = std::function<NetworkEstimate(const Model& model, double slowdown)>;

// Measures all networks in a shuffled order, then all of them again in another one, and calls
// `measured` after each. Before each, where there is such a method and the host's pace is known,
// the network is estimated `at_hand`. Networks that have their measurement of a round already are
// passed over, so that an evaluation goes on where it stopped. Throws Error(interrupted) on the
// user's wish.
void measure_networks(Evaluation& evaluation, Rig& rig, const Precision& precision,
                      const EstimateAtHand& at_hand,
                      const std::function<void(int done, int of)>& measured);

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
