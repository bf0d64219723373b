// What each operator makes of the shapes it reads.
#pragma once

#include <span>

#include "ampere/layer.h"

namespace ampere {

// The output shape. Makes `op` canonical on the way: one number per axis in every window, no
// leftovers in unused fields, so that equal layers compare and hash as equal. Throws Error(usage)
// saying what does not fit; the caller knows the layer's name.
TensorShape infer_shape(Op& op, std::span<const TensorShape> inputs);

}  // namespace ampere
