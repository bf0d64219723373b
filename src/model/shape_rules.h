// What each operator makes of the shapes it reads, one function per operator. They check the
// operator's numbers and make them canonical on the way.
#pragma once

#include <initializer_list>
#include <span>
#include <string>

#include "ampere/layer.h"

namespace ampere {

using Shapes = std::span<const TensorShape>;

[[noreturn]] void refuse(const std::string& why);  // throws Error(usage)

// Throws Error(usage) unless one layer is read, of one of these layouts.
const TensorShape& only(Shapes inputs, std::initializer_list<Layout> layouts);
const TensorShape& only_channels(Shapes inputs);  // any but tokens and tensors
const TensorShape& only_numbers(Shapes inputs);   // any but tokens

void check_divisible(std::int64_t channels, std::int64_t divisor, const char* what);
void check_finite(const std::string& what, double value);
// Layout and number of axes fit together, lengths are in range.
void check_shape(const TensorShape& shape);

// Layers with weights, and windows that slide over positions: shapes_of_layers.cpp.
TensorShape shape_of(Input& op, Shapes inputs);
TensorShape shape_of(Parameter& op, Shapes inputs);
TensorShape shape_of(Conv& op, Shapes inputs);
TensorShape shape_of(ConvTranspose& op, Shapes inputs);
TensorShape shape_of(Linear& op, Shapes inputs);
TensorShape shape_of(Embedding& op, Shapes inputs);
TensorShape shape_of(Recurrent& op, Shapes inputs);
TensorShape shape_of(SelfAttention& op, Shapes inputs);
TensorShape shape_of(BatchNorm& op, Shapes inputs);
TensorShape shape_of(LayerNorm& op, Shapes inputs);
TensorShape shape_of(GroupNorm& op, Shapes inputs);
TensorShape shape_of(InstanceNorm& op, Shapes inputs);
TensorShape shape_of(Scale& op, Shapes inputs);
TensorShape shape_of(PRelu& op, Shapes inputs);
TensorShape shape_of(ClassToken& op, Shapes inputs);
TensorShape shape_of(PositionEmbedding& op, Shapes inputs);
TensorShape shape_of(Pool& op, Shapes inputs);
TensorShape shape_of(AdaptivePool& op, Shapes inputs);
TensorShape shape_of(Upsample& op, Shapes inputs);
TensorShape shape_of(Pad& op, Shapes inputs);

// What works on elements and axes: shapes_of_axes.cpp.
TensorShape shape_of(Activation& op, Shapes inputs);
TensorShape shape_of(Dropout& op, Shapes inputs);
TensorShape shape_of(Add& op, Shapes inputs);
TensorShape shape_of(Multiply& op, Shapes inputs);
TensorShape shape_of(Subtract& op, Shapes inputs);
TensorShape shape_of(Divide& op, Shapes inputs);
TensorShape shape_of(Flatten& op, Shapes inputs);
TensorShape shape_of(Concat& op, Shapes inputs);
TensorShape shape_of(Chunk& op, Shapes inputs);
TensorShape shape_of(Slice& op, Shapes inputs);
TensorShape shape_of(Gather& op, Shapes inputs);
TensorShape shape_of(Softmax& op, Shapes inputs);
TensorShape shape_of(Reduce& op, Shapes inputs);
TensorShape shape_of(ChannelShuffle& op, Shapes inputs);
TensorShape shape_of(ToSequence& op, Shapes inputs);
TensorShape shape_of(FromSequence& op, Shapes inputs);
TensorShape shape_of(TokenMean& op, Shapes inputs);
TensorShape shape_of(TokenSelect& op, Shapes inputs);
TensorShape shape_of(Reshape& op, Shapes inputs);
TensorShape shape_of(Permute& op, Shapes inputs);
TensorShape shape_of(Expand& op, Shapes inputs);
TensorShape shape_of(MatMul& op, Shapes inputs);

}  // namespace ampere
