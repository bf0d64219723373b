// One function for each operator that reads data, grouped by what they are about.
#pragma once

#include "onnx/importer.h"

namespace ampere::onnx {

// movement: nothing is computed, only the view changes.
void import_identity(Importer& importer, const Node& node);
void import_cast(Importer& importer, const Node& node);
void import_reshape(Importer& importer, const Node& node);
void import_flatten(Importer& importer, const Node& node);
void import_transpose(Importer& importer, const Node& node);
void import_squeeze(Importer& importer, const Node& node);
void import_unsqueeze(Importer& importer, const Node& node);
void import_depth_to_space(Importer& importer, const Node& node);
void import_space_to_depth(Importer& importer, const Node& node);

// parts: pieces of tensors, and tensors put together.
void import_slice(Importer& importer, const Node& node);
void import_split(Importer& importer, const Node& node);
void import_split_to_sequence(Importer& importer, const Node& node);
void import_sequence_at(Importer& importer, const Node& node);
void import_gather(Importer& importer, const Node& node);
void import_gather_nd(Importer& importer, const Node& node);
void import_concat(Importer& importer, const Node& node);
void import_expand(Importer& importer, const Node& node);
void import_pad(Importer& importer, const Node& node);
// Axes of length 1 repeated until the value has these lengths.
Value repeated(Importer& importer, const Node& node, const Value& value, const Dims& whole);
Value sliced(Importer& importer, const Node& node, const Value& value, std::size_t axis,
             std::int64_t begin, std::int64_t count, std::int64_t step = 1);

// lookup: rows of a learned table by indices that do not depend on the data. They are not copied
// into a constant: all of the table is learned, however few of its rows are used.
bool looks_up_rows(const Importer& importer, const Node& node);
void import_lookup(Importer& importer, const Node& node);
// Entries of what is computed, along one axis, which gets the axes of the indices instead.
Value picked(Importer& importer, const Node& node, Value value, std::size_t axis, Constant indices);

// weights alone: most of what is computed from nothing but constants is computed during import, and
// a weight is then the result. These functions stay in the network, because their weights are
// trained and not the result: a linear layer that reads a table, and a clamp.
bool is_trained(const Importer& importer, const Node& node);
// What the node computes with. A constant becomes a parameter, the same for all samples.
Value operand_of(Importer& importer, const Node& node, std::size_t input);

// noise: dropout and stochastic depth written as random numbers, a comparison and a product.
bool makes_noise(const Importer& importer, const Node& node);
void import_noise(Importer& importer, const Node& node);

// elementwise
void import_unary(Importer& importer, const Node& node);
void import_clip(Importer& importer, const Node& node);
void import_prelu(Importer& importer, const Node& node);
void import_dropout(Importer& importer, const Node& node);
void import_where(Importer& importer, const Node& node);
void import_binary(Importer& importer, const Node& node);
void import_comparison(Importer& importer, const Node& node);
void import_equal(Importer& importer, const Node& node);
// The value and a constant combined by the operator of the node: Add, Sub, Mul, Div or Pow.
Value with_constant(Importer& importer, const Node& node, Value value, const Constant& given,
                    bool value_first);
Value multiplied(Importer& importer, const Node& node, const Value& value, double factor);

// layers
void import_conv(Importer& importer, const Node& node);
void import_conv_transpose(Importer& importer, const Node& node);
void import_gemm(Importer& importer, const Node& node);
void import_matmul(Importer& importer, const Node& node);
void import_einsum(Importer& importer, const Node& node);
Value product_of(Importer& importer, const Node& node, const Value& left, const Value& right);
void import_attention(Importer& importer, const Node& node);
void import_recurrent(Importer& importer, const Node& node);

// normalisations
void import_batch_norm(Importer& importer, const Node& node);
void import_layer_norm(Importer& importer, const Node& node);
void import_instance_norm(Importer& importer, const Node& node);
void import_group_norm(Importer& importer, const Node& node);

// pools and reductions
void import_pool(Importer& importer, const Node& node);
void import_global_pool(Importer& importer, const Node& node);
void import_reduce(Importer& importer, const Node& node);
void import_softmax(Importer& importer, const Node& node);
Value softmax_of(Importer& importer, const Node& node, const Value& value, std::size_t axis,
                 bool log);
void import_resize(Importer& importer, const Node& node);

// The channel axis of the value's layer, where this axis of the value is exactly that.
bool is_channels(const Importer& importer, const Value& value, std::size_t axis);

}  // namespace ampere::onnx
