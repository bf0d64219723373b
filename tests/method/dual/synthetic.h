// A device whose law is known: blocks that take a time and a host's time each, networks that take
// the longer of the two, energy that is linear in what they do.
#pragma once

#include <string>
#include <vector>

#include "method/dual/dual.h"
#include "method/dual/dual_model.h"

namespace ampere {

struct SyntheticDevice {
  double ready_w = 100, device_w = 150;
  double j_per_flop = 4e-12, j_per_byte = 3e-11, j_per_block = 1e-4;
  double peak_flops = 1e12, bandwidth = 1.5e11, start_s = 1e-5;
  double launch_s = 2e-5, iteration_s = 5e-5;
  double overlap = 1;
  bool synchronous = false;
  double noise = 0;  // relative standard deviation of what is measured
  // Relative standard deviation of a block's device time around its law, by nothing that a map of
  // its widths could find.
  double jumps = 0;
  // Relative standard deviation of the host's speed, from one network to the next. Then networks
  // are paced against another one.
  double wobble = 0;

  double device_s(const BlockTerms& block) const;
  double host_s(const BlockTerms& block) const;

  struct Truth {
    double device_s = 0, host_s = 0, time_s = 0, energy_j = 0;
  };
  Truth truth(const Model& model, const Setup& setup = {}, double slowness = 1) const;

  Observation measure(const Model& model, const Setup& setup = {}) const;
  std::vector<BlockTiming> time_blocks(const Model& model, const Setup& setup = {}) const;
  Window idle() const;  // a second of it
};

// `networks` of cnn5 measured, `timed` of its networks with their blocks timed.
DualEvidence evidence_of(const SyntheticDevice& device, int networks, int timed);

// What a fitted model says of a network.
DualPrediction ask(const DualModel& model, const Model& network);

}  // namespace ampere
