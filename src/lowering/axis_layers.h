// Operators of several layers, and those that move or gather numbers along axes. All of them are
// plain functions, no modules.
#pragma once

#include "lowering/layers.h"

namespace ampere::lowering {

Tensor call_along_axes(const LayerCall& call, const Add& op);
Tensor call_along_axes(const LayerCall& call, const Multiply& op);
Tensor call_along_axes(const LayerCall& call, const Subtract& op);
Tensor call_along_axes(const LayerCall& call, const Divide& op);
Tensor call_along_axes(const LayerCall& call, const Concat& op);
Tensor call_along_axes(const LayerCall& call, const Chunk& op);
Tensor call_along_axes(const LayerCall& call, const Slice& op);
Tensor call_along_axes(const LayerCall& call, const Softmax& op);
Tensor call_along_axes(const LayerCall& call, const Reduce& op);
Tensor call_along_axes(const LayerCall& call, const Pad& op);
Tensor call_along_axes(const LayerCall& call, const Flatten& op);
Tensor call_along_axes(const LayerCall& call, const ChannelShuffle& op);
Tensor call_along_axes(const LayerCall& call, const ToSequence& op);
Tensor call_along_axes(const LayerCall& call, const FromSequence& op);
Tensor call_along_axes(const LayerCall& call, const TokenMean& op);
Tensor call_along_axes(const LayerCall& call, const TokenSelect& op);
Tensor call_along_axes(const LayerCall& call, const Reshape& op);
Tensor call_along_axes(const LayerCall& call, const Permute& op);
Tensor call_along_axes(const LayerCall& call, const Expand& op);
Tensor call_along_axes(const LayerCall& call, const MatMul& op);
Tensor call_along_axes(const LayerCall& call, const Input& op);  // never called

Tensor call_gather(const LayerCall& call, const Gather& op);  // a module, since it has indices

}  // namespace ampere::lowering
