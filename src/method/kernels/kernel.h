// Inference, kernel by kernel: a network cut into the pieces that a runtime executes as one, each
// with a type, a configuration and a small network of its own that a rig can run.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ampere/kernels.h"
#include "ampere/model.h"

namespace ampere {

struct Kernel {
  std::string type;  // operators by '+', "@" and the layout where it is no image: "conv+bn+relu"
  KernelConfig config;
  std::int64_t flops = 0;  // one forward pass of one sample
  std::int64_t parameters = 0;
  std::vector<int> layers;  // of the network it was cut from, ascending
  Model alone;              // what kernel_model gives

  // Whether they are the same work; where they stand does not matter.
  friend bool operator==(const Kernel& a, const Kernel& b) {
    return a.type == b.type && a.config == b.config && a.flops == b.flops &&
           a.parameters == b.parameters;
  }
};

// Two neighbours of a network that a device may or may not run as one: to be measured together and
// apart.
struct FusionCandidate {
  OperatorPair pair;
  Model together, first, second;
};

// One for each different pair whose second works number by number, at the place in these networks
// where that is large and no small part of the two.
std::vector<FusionCandidate> fusion_candidates(std::span<const Model> networks);

// first + second − together − ½ min(first, second): whether running them together saves more than
// half of the smaller one. The three are energies, or times, of one run. Throws Error(usage) for
// what is not positive.
double fusion_margin(double together, double first, double second);
bool is_fused(double together, double first, double second);

// Every layer that computes something is in exactly one kernel; inputs, parameters, dropout,
// flatten, reshape and expand are in none unless they stand inside one. In the order of their
// first layers.
std::vector<Kernel> kernels_of(const Model& model,
                               const FusionRules& rules = default_fusion_rules());

// The kernel as a network: what it reads are Input layers. kernels_of gives the kernel back, under
// the rules it was cut with.
Model kernel_model(const Kernel& kernel);

// The different kernels of these networks, in order of first appearance.
std::vector<Kernel> distinct_kernels(std::span<const Model> networks,
                                     const FusionRules& rules = default_fusion_rules());

// Kernels around those given: extents and channels between half and twice as large, other odd
// kernel sizes, now and then another stride. Different from each other and from all given; fewer
// than asked where there are no more. Equal seeds give equal kernels.
std::vector<Kernel> widen_kernels(std::span<const Kernel> kernels, int count, unsigned seed,
                                  const FusionRules& rules = default_fusion_rules());

}  // namespace ampere
