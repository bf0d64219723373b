// The nodes that one output needs, each after those it reads.
#pragma once

#include "onnx/proto.h"

namespace ampere::onnx {

// Throws Error(usage) when nodes read each other in a circle, or two give the same value.
std::vector<const Node*> ordered_nodes(const std::vector<Node>& nodes, std::string_view output);

}  // namespace ampere::onnx
