// Functions that a file defines for itself, put in place of the nodes that call them.
#pragma once

#include <deque>
#include <string>

#include "onnx/proto.h"

namespace ampere::onnx {

// The graph's nodes without calls. New names are kept in `names`, which must outlive the nodes.
// Throws Error(usage) when functions call themselves, or unfold to too many nodes.
std::vector<Node> inlined(const File& file, std::deque<std::string>& names);

}  // namespace ampere::onnx
