// The ways to estimate, by name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ampere/estimate.h"
#include "ampere/observation.h"

namespace ampere {

// What a method is made from.
enum class Evidence { blocks, networks, layers, timings };

struct MethodKind {
  std::string name;  // "ampere", "flops", …
  Evidence evidence = Evidence::blocks;
  std::string description;
};
const std::vector<MethodKind>& method_kinds();
const MethodKind& find_method(const std::string& name);  // Error(usage) with the nearest name

// What is known of a device. A method looks at its own evidence alone.
struct Knowledge {
  Fits blocks;                        // of block kinds
  SharedDualModel dual;               // null when there is none
  std::vector<Observation> networks;  // whole networks
  std::vector<Observation> layers;    // single layers, phase by phase
};
std::unique_ptr<Estimator> make_estimator(const std::string& method, Knowledge known);

}  // namespace ampere
