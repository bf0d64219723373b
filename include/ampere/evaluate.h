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

#include "ampere/estimate.h"
#include "ampere/rig.h"

namespace ampere {

// A network of the family: every free width drawn evenly from its smallest value to the original,
// and the depth too where the family has a "layers" option. Equal seeds give equal networks, and
// fewer of them are the first of more.
std::vector<Model> draw_networks(const std::string& family, int count, unsigned seed);

// The same for networks that are given: each drawn one is a narrower version of one of them.
std::vector<Model> draw_narrower(std::span<const Model> originals, int count, unsigned seed);

struct Accuracy {  // ratios as fractions
  double mape = 0, bias = 0, rmspe = 0;
  double within_5 = 0, within_10 = 0, within_15 = 0;
  std::optional<double> coverage;  // share inside the stated interval; absent when none was stated
};

struct Predicted {
  double mean = 0;
  std::optional<double> low, high;
};

// Throws Error(failed) when there is nothing to compare.
Accuracy accuracy(std::span<const Predicted> predicted, std::span<const double> measured);

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

struct EvaluatedNetwork {
  Model model;
  std::map<std::string, NetworkEstimate> estimates;  // by method; made before it was measured
  std::vector<Measurement> measurements;             // two, apart in time
  std::string failure;                               // why there are fewer
};

struct Evaluation {
  std::string family;
  DeviceInfo device;
  Setup setup;
  unsigned seed = 0;
  std::string begun_at;
  Seconds profile_seconds{};
  std::vector<MethodRecord> methods;
  std::vector<EvaluatedNetwork> networks;
};

// Everything but the measurements: each network estimated by each method at 90 % confidence.
Evaluation begin_evaluation(std::string family, const DeviceInfo& device, const Setup& setup,
                            unsigned seed, std::span<const Model> networks,
                            std::span<const Method> methods);

// Measures all networks in a shuffled order, then all of them again in another one, and calls
// `measured` after each. Networks that have their measurement of a round already are passed over,
// so that an evaluation goes on where it stopped. Throws Error(interrupted) on the user's wish.
void measure_networks(Evaluation& evaluation, Rig& rig, const Precision& precision,
                      const std::function<void(int done, int of)>& measured);

struct MethodScore {
  std::optional<Accuracy> energy, time;  // absent when no network has both numbers
  int compared = 0;                      // networks in it
};

struct Scores {
  std::map<std::string, MethodScore> methods;
  // MAPE of the second measurement against the first; absent when nothing was measured twice.
  std::optional<double> energy_repeat_noise, time_repeat_noise;
};

// Estimates against the mean of the two measurements. Networks that failed, and those a method does
// not cover, are left out of its score.
Scores score(const Evaluation& evaluation);

// With every window, so that nothing has to be measured again. Reading throws Error(usage).
std::string to_text(const Evaluation& evaluation);
Evaluation parse_evaluation(const std::string& text, const std::string& origin);

// One row a network: measured values of both rounds, then mean, low and high of every method.
std::string to_csv(const Evaluation& evaluation);

}  // namespace ampere
