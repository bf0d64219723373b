// The ways to estimate, by name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ampere/estimate.h"
#include "ampere/observation.h"
#include "method/ampere/fit.h"
#include "method/dual/dual.h"

namespace ampere {

// What a method is made from.
enum class Evidence { blocks, networks, layers, timings, kernels };

struct MethodKind {
  std::string name;  // "ampere", "flops", …
  Evidence evidence = Evidence::blocks;
  std::string description;
};
// Of training, or of inference.
const std::vector<MethodKind>& method_kinds(Phase phase = Phase::iteration);
// Throws Error(usage) with the nearest name.
const MethodKind& find_method(const std::string& name, Phase phase = Phase::iteration);

// What is known of a device. A method looks at its own evidence alone.
struct Knowledge {
  Fits blocks;                        // of block kinds
  SharedDualModel dual;               // null when there is none
  std::vector<Observation> networks;  // whole networks
  std::vector<Observation> layers;    // single layers, phase by phase
};
// By any method but those from kernels, which survey.h makes from a store.
std::unique_ptr<Estimator> make_estimator(const std::string& method, Knowledge known);

}  // namespace ampere
