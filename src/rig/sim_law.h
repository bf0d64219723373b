// The parameters of a simulated device, and the cost of a network by them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ampere/model.h"
#include "ampere/train.h"

namespace ampere {

struct SimMeterLaw {
  double period_s = 0;   // between two steps of the reading; 0: it moves with every read
  bool sampled = false;  // each step adds power × period instead of the energy
};

struct SimThermalLaw {
  double ambient_c = 25, start_c = 40;  // of the air; at the start of a measurement
  double k_per_w = 0;                   // rise above ambient per watt
  double time_constant_s = 30;
  double throttle_c = 1000, throttle_range_c = 10;  // clocks fall over this range …
  double slowest = 1;                               // … to this share
};

struct SimNoiseLaw {           // relative standard deviations
  double power = 0, time = 0;  // per quarter of a second
  double between = 0;          // of the power, between whole measurements
  double drift = 0;            // amplitude of a slow wave of the power
};

struct SimLaw {
  std::string name, title, hardware, description;
  double peak_flops = 0;   // per second, as small networks reach it
  double bandwidth = 0;    // bytes per second
  double roofline = 1;     // p of ((flops/peak)^p + (bytes/bandwidth)^p)^(1/p): 1 adds, ∞ is max
  double kernel_s = 0;     // device time to start a kernel
  double launch_s = 0;     // host time to launch one
  double iteration_s = 0;  // host time for each iteration
  double overlap = 0;      // share of the shorter of host and device that hides in the longer
  std::int64_t in_tile = 1, out_tile = 1;  // channels are computed in multiples of these
  double odd_penalty = 0;           // extra work, as a share, for an odd number of output channels
  std::int64_t wave = 1;            // outputs are computed this many at a time
  double idle_w = 0, static_w = 0;  // between iterations; during them
  double j_per_flop = 0, j_per_byte = 0, j_per_kernel = 0;
  bool fuses = false;  // inference: batch norm and ReLU join the layer before them
  double memory_bytes = 0;
  double clock_mhz = 0;
  SimMeterLaw meter;
  SimThermalLaw thermal;
  SimNoiseLaw noise;
};

const std::vector<SimLaw>& sim_laws();
const SimLaw& find_sim_law(const std::string& name);  // throws Error(unknown)

// How long the device computes and moves so much, without starting anything.
double sim_roofline_s(const SimLaw& law, double flops, double bytes);

// The cost of one training iteration, or of the requested phase, at full clock.
struct SimCost {
  double host_s = 0, device_s = 0;
  double dynamic_j = 0;
  double memory_bytes = 0;
};
SimCost sim_cost(const SimLaw& law, const Model& model, const Setup& setup);

// At a share of the full clock: slower, and cheaper by the square of the voltage.
double sim_time_s(const SimLaw& law, const SimCost& cost, double clock = 1);
double sim_energy_j(const SimLaw& law, const SimCost& cost, double clock = 1);

}  // namespace ampere
