// Inference, kernel by kernel: a network cut into the pieces that a runtime executes as one, each
// with a type, a configuration and a small network of its own that a rig can run.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "ampere/model.h"

namespace ampere {

// The sizes of a kernel by the names of their columns: HW, CIN, COUT, KERNEL_SIZE, STRIDES, …
// (docs/kernel-data.md has all). A size that has its usual value (W as HW, PADDING as half the
// kernel) is left out.
using KernelConfig = std::map<std::string, std::int64_t>;

// In the order in which tables show them.
std::vector<std::string> ordered_columns(const KernelConfig& config);
std::string to_string(const KernelConfig& config);  // "HW=56, CIN=64, COUT=128"

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

// "conv++bn++relu", "Conv-BN-ReLU" and "conv_bn_relu" as "conv+bn+relu"; what is not made of known
// operators stays as it is.
std::string canonical_kernel_type(const std::string& text);

struct OperatorPair {
  std::string first, second;
  friend auto operator<=>(const OperatorPair&, const OperatorPair&) = default;
};

// Which operators a runtime executes as one kernel. An operator joins the kernel of the one it
// reads when nobody else reads that, and the two are a pair: conv+bn and bn+relu make conv+bn+relu.
struct FusionRules {
  std::set<OperatorPair> pairs;
  bool squeeze_excite = true;  // pool, two layers, gate and multiplication are one kernel

  bool fuses(const std::string& first, const std::string& second) const {
    return pairs.contains({first, second});
  }
  friend bool operator==(const FusionRules&, const FusionRules&) = default;
};

// What common runtimes do: batch norm and ReLU join a convolution, ReLU joins batch norm, a linear
// layer and an addition.
FusionRules default_fusion_rules();

// "add+relu, conv+bn, …, squeeze-excite" and the same as JSON. Reading takes either, and sequences
// ("conv+bn+relu" is its two pairs); throws Error(usage) for an operator that is none.
std::string to_text(const FusionRules& rules);
std::string to_json(const FusionRules& rules);
FusionRules parse_fusion_rules(const std::string& text, const std::string& origin);

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
