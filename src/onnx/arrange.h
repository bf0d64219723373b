// Rearrangements said in operators.
#pragma once

#include "onnx/draft.h"

namespace ampere::onnx {

// The operators, each reading the one before it, that turn what has the shape `from` into what
// `arrangement` gives. One with a name where there is one (flatten, to_sequence, channel_shuffle),
// else reshapes around a permutation.
std::vector<Op> arranging_ops(const TensorShape& from, const DraftLayer& arrangement);

}  // namespace ampere::onnx
