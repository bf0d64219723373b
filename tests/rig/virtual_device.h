// A device with a known power and a clock of its own, for testing what measures.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "rig/bench_rig.h"

namespace ampere::testing_support {

struct VirtualDevice {
  // The law.
  double busy_w = 200, idle_w = 50;
  double iteration_s = 0.0037;
  std::map<std::string, double> iteration_s_of = {};  // networks that take another time
  double period_s = 0.1;                              // of the counter; 0 counts continuously
  bool stamps_steps = false;                          // readings carry the time of the step
  double cold_factor = 1;               // the first iterations take this much longer …
  int cold_iterations = 0;              // … so many
  double spread = 0;                    // relative, of the power of successive tenths of a second
  double suspended_s = 0;               // so far
  bool counts = true;                   // false: the counter stands still
  bool works_ahead = false;             // takes work on while it is at other work
  double host_s = 0;                    // then: to hand an iteration over
  std::optional<StepTimes> step_times;  // by the device itself; absent: as a CPU has none
  std::function<MeterState()> state = [] { return MeterState{}; };
  std::function<void(const std::string& model)> on_prepare = [](const std::string&) {};
  std::function<void(int iterations)> on_run = [](int) {};
  std::int64_t batches = 40, test_batches = 10;  // of training on data
  double test_batch_s = 0.001;
  SetupRange setups = {};
  double prepare_s = 0.5;
  std::int64_t weights = 32;
  std::function<void(const std::string& model, int epoch)> on_epoch = [](const std::string&, int) {
  };

  // What happened.
  double now_s = 1000, energy_j = 5, shown_j = 5, step_s = 1000;
  std::int64_t iterations = 0;

  void advance(double seconds, double watts);
  void run(int count, const std::string& model);
  double joules_per_iteration() const { return busy_w * iteration_s; }
};

// The device, and a rig that measures on it. The device lives as long as the rig.
struct VirtualRig {
  std::shared_ptr<VirtualDevice> device;
  std::unique_ptr<Rig> rig;
};
VirtualRig make_virtual_rig(const std::string& name = "virtual");

Model tiny_model(const std::string& name = "tiny");

}  // namespace ampere::testing_support
