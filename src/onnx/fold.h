// Nodes whose result does not depend on the data, computed: chains of Shape, Gather, Concat … that
// exporters write around a reshape, and weights that are transposed on their way to a layer.
#pragma once

#include <string_view>

#include "onnx/importer.h"

namespace ampere::onnx {

// Whether the operator looks at nothing but shape and type of its inputs.
bool reads_shapes_only(std::string_view op);

// Throws Unsupported when the operator is not known on constants.
void fold(Importer& importer, const Node& node);

// The lengths that a Reshape asks for, 0 and -1 filled in.
Dims reshape_target(const Node& node, const Dims& from, const Dims& asked);

// One entry of a Slice: an axis, where it begins, how many, and the step.
struct SlicePart {
  std::size_t axis;
  std::int64_t begin, count, step;
};
std::vector<SlicePart> slice_parts(Importer& importer, const Node& node, const Dims& dims);

// Axes from an attribute, or from an input in later opsets; `otherwise` when there are neither.
Dims axes_of(Importer& importer, const Node& node, std::size_t input, const Dims& otherwise);

// Lengths of the outputs of a Split.
Dims split_lengths(Importer& importer, const Node& node, std::int64_t length);

}  // namespace ampere::onnx
