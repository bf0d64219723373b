// Kernels, strides and paddings as nodes give them.
#pragma once

#include "onnx/importer.h"

namespace ampere::onnx {

struct Window {
  Dims kernel, stride, dilation, before, after;  // one number an axis

  bool symmetric() const { return before == after; }
};

// For an input of these spatial lengths; `kernel` of a convolution follows from its weight.
Window window_of(const Node& node, const Dims& extent, const Dims& kernel);

// The value with the window's padding, as far as it is not the same on both sides, put around it
// as zeros (or another number); the window keeps the rest.
Value with_padding(Importer& importer, const Node& node, const Value& value, Window& window,
                   double number);

}  // namespace ampere::onnx
