// A rig whose answers follow a formula, for tests that must know the truth.
#pragma once

#include <functional>

#include "ampere/error.h"
#include "ampere/rig.h"

namespace ampere::testing_support {

class LawRig : public Rig {
 public:
  using Law =
      std::function<double(const Model&)>;  // joules per iteration; seconds are a tenth of it

  explicit LawRig(Law law) : law_(std::move(law)) {
    device_.name = "formula";
    device_.source = Source::simulated;
    device_.fingerprint = fingerprint_of(device_);
  }

  const DeviceInfo& device() const override { return device_; }

  Abilities abilities() const override {
    return {Ability::measure, Ability::phases, Ability::inference};
  }

  int measured = 0;

 private:
  RigAnswer answer(const Request& request, const RunListener&) override {
    ++measured;
    const double joules = law_(*model_of(request));
    Measurement measurement;
    measurement.energy_j = {joules, 0.001 * joules};
    measurement.time_s = {joules / 10, 0.0001 * joules};
    measurement.source = Source::simulated;
    measurement.elapsed = Seconds(0.5);
    for (int i = 0; i < 3; ++i) {
      Window window;
      window.iterations = 10;
      window.energy = {joules * 10};
      window.time = Seconds(joules);
      measurement.windows.push_back(window);
    }
    return measurement;
  }

  Law law_;
  DeviceInfo device_;
};

// Smooth and additive over layers: what the published method assumes.
inline double additive_law(const Model& model) {
  double joules = 0;
  for (const Layer& layer : model.layers()) {
    const Counts counts = count(layer, model, 10);
    joules += 1e-9 * static_cast<double>(counts.forward_flops) +
              1e-8 * static_cast<double>(counts.activations) + (is_parametric(layer.op) ? 1e-3 : 0);
  }
  return joules;
}

}  // namespace ampere::testing_support
