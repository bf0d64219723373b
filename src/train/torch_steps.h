// One function per operator: the call that computes a layer of it.
#pragma once

#include "train/torch_layer.h"

namespace ampere {

// Layers with weights: torch_weighted.cpp.
TorchStep step_of(const Conv& op, TorchLayer& layer);
TorchStep step_of(const ConvTranspose& op, TorchLayer& layer);
TorchStep step_of(const Linear& op, TorchLayer& layer);
TorchStep step_of(const Embedding& op, TorchLayer& layer);
TorchStep step_of(const Recurrent& op, TorchLayer& layer);
TorchStep step_of(const SelfAttention& op, TorchLayer& layer);
TorchStep step_of(const BatchNorm& op, TorchLayer& layer);
TorchStep step_of(const LayerNorm& op, TorchLayer& layer);
TorchStep step_of(const GroupNorm& op, TorchLayer& layer);
TorchStep step_of(const InstanceNorm& op, TorchLayer& layer);
TorchStep step_of(const Scale& op, TorchLayer& layer);
TorchStep step_of(const PRelu& op, TorchLayer& layer);
TorchStep step_of(const ClassToken& op, TorchLayer& layer);
TorchStep step_of(const PositionEmbedding& op, TorchLayer& layer);
TorchStep step_of(const Parameter& op, TorchLayer& layer);
TorchStep step_of(const Gather& op, TorchLayer& layer);

// Functions of elements and windows: torch_functions.cpp.
TorchStep step_of(const Activation& op, TorchLayer& layer);
TorchStep step_of(const Dropout& op, TorchLayer& layer);
TorchStep step_of(const Add& op, TorchLayer& layer);
TorchStep step_of(const Multiply& op, TorchLayer& layer);
TorchStep step_of(const Subtract& op, TorchLayer& layer);
TorchStep step_of(const Divide& op, TorchLayer& layer);
TorchStep step_of(const Pool& op, TorchLayer& layer);
TorchStep step_of(const AdaptivePool& op, TorchLayer& layer);
TorchStep step_of(const Upsample& op, TorchLayer& layer);

// What moves along axes or gathers from them: torch_axes.cpp.
TorchStep step_of(const Input& op, TorchLayer& layer);
TorchStep step_of(const Pad& op, TorchLayer& layer);
TorchStep step_of(const Flatten& op, TorchLayer& layer);
TorchStep step_of(const Concat& op, TorchLayer& layer);
TorchStep step_of(const Chunk& op, TorchLayer& layer);
TorchStep step_of(const Slice& op, TorchLayer& layer);
TorchStep step_of(const Softmax& op, TorchLayer& layer);
TorchStep step_of(const Reduce& op, TorchLayer& layer);
TorchStep step_of(const ChannelShuffle& op, TorchLayer& layer);
TorchStep step_of(const ToSequence& op, TorchLayer& layer);
TorchStep step_of(const FromSequence& op, TorchLayer& layer);
TorchStep step_of(const TokenMean& op, TorchLayer& layer);
TorchStep step_of(const TokenSelect& op, TorchLayer& layer);
TorchStep step_of(const Reshape& op, TorchLayer& layer);
TorchStep step_of(const Permute& op, TorchLayer& layer);
TorchStep step_of(const Expand& op, TorchLayer& layer);
TorchStep step_of(const MatMul& op, TorchLayer& layer);

// An operand of a layer, laid out so that torch's broadcasting does what the model says: one number
// per channel stands at the channels of `whole`, other missing axes come after the batch. Called
// with the values of all layers.
TorchStep operand(const TorchLayer& layer, std::size_t which, const TensorShape& whole);

}  // namespace ampere
