// What exporters take apart, put together again. Each pass replaces the last layer of what it
// recognises; the others are then read by nobody and fall away.
#pragma once

#include "onnx/draft.h"

namespace ampere::onnx {

// A parameter added to what a layer without bias gives becomes its bias; a scale after a
// normalisation without one becomes its scale.
void join_biases(Draft& draft);
void join_scales(Draft& draft);

// The first rows of a learned table added to a sequence are its positions.
void join_positions(Draft& draft);

// What is joined again and again is joined once.
void join_concats(Draft& draft);

// GELU, SiLU, hard-swish … written out: recognised by their values.
void join_functions(Draft& draft);

// (x − mean) / √(variance + ε) over the channels.
void join_layer_norms(Draft& draft);

// softmax(Q·Kᵀ/√d)·V between projections of one sequence.
void join_attention(Draft& draft);

// Attention and feed-forward with their sums and norms: an encoder layer is one module.
void mark_encoders(Draft& draft);

// An input that is only ever read in another arrangement is fed in that one. `order` of each such
// input: which of the file's axes stands where.
std::map<int, Dims> turn_inputs(Draft& draft);

}  // namespace ampere::onnx
