// How far estimates are from measurements, on networks nobody has seen before.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ampere/estimate.h"
#include "ampere/rig.h"

namespace ampere {

// A network of the family: every free width drawn evenly from its smallest value to the original,
// and the depth too where the family has a "layers" option. Equal seeds give equal networks.
std::vector<Model> draw_networks(const std::string& family, int count, unsigned seed);

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

struct EvaluatedNetwork {
  std::string model;                      // MODEL that builds it again, or its file
  Estimate estimate;                      // made before it was measured
  std::vector<Measurement> measurements;  // two, apart in time
  std::string failure;                    // why there are fewer
};

struct Evaluation {
  std::vector<EvaluatedNetwork> networks;
  Accuracy energy, time;
  double energy_repeat_noise = 0,
         time_repeat_noise = 0;  // MAPE of the second measurement against the first
};

// Estimates all networks, then measures all of them, then measures them again in another order.
Evaluation evaluate(std::span<const Model> networks, const Estimator& estimator, Rig& rig,
                    const Setup& setup, const Precision& precision, unsigned seed,
                    const std::function<void(int done, int of)>& progress);

}  // namespace ampere
