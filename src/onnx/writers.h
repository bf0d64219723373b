// One function for each operator, grouped as the handlers of the importer are.
#pragma once

#include "onnx/exporter.h"

namespace ampere::onnx {

// layers: write_layers.cpp
void write(Exporter& out, const Conv& op);
void write(Exporter& out, const ConvTranspose& op);
void write(Exporter& out, const Linear& op);
void write(Exporter& out, const Embedding& op);
void write(Exporter& out, const ClassToken& op);
void write(Exporter& out, const PositionEmbedding& op);
void write(Exporter& out, const Parameter& op);
void write(Exporter& out, const Scale& op);
void write(Exporter& out, const PRelu& op);
// One number a channel, to be broadcast along the other axes; and the axes in which `part` is
// broadcast to `whole`: at the channels where it has as many, else at the last ones.
Dims channel_sizes(const TensorShape& shape);
Dims spread_sizes(const TensorShape& part, const TensorShape& whole);

// write_recurrent.cpp, write_attention.cpp
void write(Exporter& out, const Recurrent& op);
void write(Exporter& out, const SelfAttention& op);
// x·Wᵀ + b over the last axis, where `bias` is the name of a tensor or "".
std::string projected(Exporter& out, const std::string& x, const std::string& weight,
                      const std::string& bias);

// normalisations: write_norms.cpp
void write(Exporter& out, const BatchNorm& op);
void write(Exporter& out, const LayerNorm& op);
void write(Exporter& out, const GroupNorm& op);
void write(Exporter& out, const InstanceNorm& op);

// functions of each number, and of several tensors: write_functions.cpp
void write(Exporter& out, const Activation& op);
void write(Exporter& out, const Dropout& op);
void write(Exporter& out, const Add& op);
void write(Exporter& out, const Multiply& op);
void write(Exporter& out, const Subtract& op);
void write(Exporter& out, const Divide& op);
void write(Exporter& out, const MatMul& op);

// windows: write_windows.cpp
void write(Exporter& out, const Pool& op);
void write(Exporter& out, const AdaptivePool& op);
void write(Exporter& out, const Upsample& op);
void write(Exporter& out, const Pad& op);

// axes: write_axes.cpp
void write(Exporter& out, const Flatten& op);
void write(Exporter& out, const Concat& op);
void write(Exporter& out, const Chunk& op);
void write(Exporter& out, const Slice& op);
void write(Exporter& out, const Gather& op);
void write(Exporter& out, const Softmax& op);
void write(Exporter& out, const Reduce& op);
void write(Exporter& out, const ChannelShuffle& op);
void write(Exporter& out, const ToSequence& op);
void write(Exporter& out, const FromSequence& op);
void write(Exporter& out, const TokenMean& op);
void write(Exporter& out, const TokenSelect& op);
void write(Exporter& out, const Reshape& op);
void write(Exporter& out, const Permute& op);
void write(Exporter& out, const Expand& op);

}  // namespace ampere::onnx
