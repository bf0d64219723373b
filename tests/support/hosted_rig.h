// A GPU by formula, whose host a test may slow down at any time.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ampere/error.h"
#include "ampere/rig.h"

namespace ampere::testing_support {

class HostedRig : public Rig {
 public:
  static constexpr double kReadyWatts = 120;
  static constexpr double kHostPerKernel = 8e-6, kHostPerInference = 15e-6;  // seconds
  static constexpr double kDevicePerKernel = 1e-6, kFlopsPerSecond = 2e13;
  static constexpr double kJoulesPerFlop = 5e-12;

  HostedRig() {
    device_.name = "formula with a host";
    device_.source = Source::simulated;
    device_.fingerprint = fingerprint_of(device_);
  }

  const DeviceInfo& device() const override { return device_; }

  Abilities abilities() const override {
    Abilities abilities{Ability::measure, Ability::phases, Ability::inference};
    if (shows_host) abilities.merge(Abilities{Ability::time, Ability::pace, Ability::idle});
    return abilities;
  }

  double host_s(const Model& model) const {
    return slowdown(now) * (kHostPerInference + kHostPerKernel * kernels(model));
  }
  static double device_s(const Model& model) {
    return kDevicePerKernel * kernels(model) + flops(model) / kFlopsPerSecond;
  }
  double time_s(const Model& model) const { return std::max(host_s(model), device_s(model)); }
  double energy_j(const Model& model) const {
    return kReadyWatts * time_s(model) + kJoulesPerFlop * flops(model);
  }

  // How many times as long as usual the host takes at a time of the rig's own.
  std::function<double(double now)> slowdown = [](double) { return 1.0; };
  double now = 0;          // seconds; every answer takes some
  bool shows_host = true;  // it times steps, takes paces and rests
  int measured = 0;
  std::vector<std::string> paced;  // names, in the order they were asked for

 private:
  static double kernels(const Model& model) {
    return static_cast<double>(std::ranges::count_if(model.layers(), [](const Layer& layer) {
      return !std::holds_alternative<Input>(layer.op) &&
             !std::holds_alternative<Flatten>(layer.op) &&
             !std::holds_alternative<Dropout>(layer.op);
    }));
  }
  static double flops(const Model& model) {
    return static_cast<double>(count(model, 1).forward_flops);
  }

  RigAnswer answer(const Request& request, const RunListener&) override {
    return std::visit([this](const auto& asked) { return carry_out(asked); }, request);
  }

  RigAnswer carry_out(const MeasureRequest& request) {
    ++measured;
    Measurement measurement;
    measurement.source = Source::simulated;
    measurement.elapsed = Seconds{1};
    for (int i = 0; i < 3; ++i) {
      constexpr std::int64_t kIterations = 100;
      Window window;
      window.iterations = kIterations;
      window.time = Seconds{kIterations * time_s(request.model)};
      window.energy = Joules{kIterations * energy_j(request.model)};
      measurement.windows.push_back(window);
      now += measurement.elapsed.count() / 3;
    }
    summarize(measurement);
    return measurement;
  }

  RigAnswer carry_out(const TimeRequest& request) {
    now += 0.02;
    return Timing{device_s(request.model), host_s(request.model), Seconds{0.02}};
  }

  RigAnswer carry_out(const PaceRequest& request) {
    paced.push_back(request.model.name());
    const Pace pace{time_s(request.model), time_s(request.reference), "", Seconds{0.7}};
    now += pace.elapsed.count();
    return pace;
  }

  RigAnswer carry_out(const IdleRequest&) {
    Window window;
    window.time = Seconds{1};
    window.energy = Joules{kReadyWatts};
    now += 1;
    return window;
  }

  template <class Other>
  RigAnswer carry_out(const Other&) {
    throw Error(ErrorCode::usage, "a formula cannot");
  }

  DeviceInfo device_;
};

}  // namespace ampere::testing_support
