// Operators as fusion rules and kernel types name them.
#pragma once

#include <string>
#include <vector>

#include "ampere/model.h"

namespace ampere {

// "conv", "dwconv", "fc", "bn", "relu", "global-avgpool", …; what has no short name is called as in
// model files. ReLU6 is a ReLU: runtimes do both by clamping.
std::string operator_name(const Layer& layer, const Model& model);
const std::vector<std::string>& operator_names();  // all of them

// Costs nothing at inference: where data come from, and what only gives them another shape.
bool is_free(const Op& op);

// Batch norm, activations and arithmetic: a runtime may do them while it has the number at hand.
bool works_number_by_number(const Op& op);

// Who reads each layer, once for each layer that does.
std::vector<std::vector<int>> readers_of(const Model& model);

}  // namespace ampere
