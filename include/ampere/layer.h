// The operators a network is made of, each a plain value. What is not written in an operator
// (input channels, output shape) follows from the layers it reads.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "ampere/tensor.h"

namespace ampere {

// Where data enter. `boundary` inputs stand for what an earlier block would deliver: they require a
// gradient and their channels may vary; the others are raw data.
struct Input {
  TensorShape shape;
  bool boundary = false;
};

// 1-D on a line, 2-D on an image; one number per spatial axis.
struct Conv {
  std::int64_t out_channels = 0;
  std::vector<std::int64_t> kernel, stride, padding, dilation;
  std::int64_t groups = 1;
  bool depthwise =
      false;  // groups = input channels = output channels; `out_channels` and `groups` unused
  bool bias = true;
};

struct Linear {  // over the channels of a flat tensor or of every token
  std::int64_t out_features = 0;
  bool bias = true;
};

struct Embedding {
  std::int64_t dim = 0;
};

enum class Cell { lstm, gru };
struct Recurrent {
  Cell cell = Cell::lstm;
  std::int64_t hidden = 0;
};

struct SelfAttention {  // query, key, value and output projections, softmax between
  std::int64_t heads = 1;
};

struct BatchNorm {};
struct LayerNorm {};
struct ClassToken {};         // a learned token put in front of the sequence
struct PositionEmbedding {};  // a learned vector added at each position

enum class Function { relu, relu6, gelu, silu, hard_swish, hard_sigmoid, sigmoid, tanh };
struct Activation {
  Function function = Function::relu;
};

enum class Pooling { max, average };
struct Pool {
  Pooling pooling = Pooling::max;
  std::vector<std::int64_t> kernel, stride, padding;
  bool ceil = false;  // round output extents up instead of down
};
struct AdaptivePool {  // averages down to this extent; {1, 1} is global pooling
  std::vector<std::int64_t> extent;
};

struct Flatten {};
struct Dropout {
  double probability = 0.5;
};
struct Add {};
struct Multiply {};  // a C×1×1 or flat operand is broadcast over positions (squeeze-and-excitation)
struct Concat {};    // along channels
struct Chunk {       // the index-th of `parts` equal shares of the channels
  std::int64_t parts = 2;
  std::int64_t index = 0;
};
struct ChannelShuffle {
  std::int64_t groups = 2;
};
struct ToSequence {};  // C × H × W to (H·W) × C
struct TokenMean {};   // sequence to flat
struct TokenSelect {   // one position of a sequence, flat
  std::int64_t index = 0;
};

using Op =
    std::variant<Input, Conv, Linear, Embedding, Recurrent, SelfAttention, BatchNorm, LayerNorm,
                 ClassToken, PositionEmbedding, Activation, Pool, AdaptivePool, Flatten, Dropout,
                 Add, Multiply, Concat, Chunk, ChannelShuffle, ToSequence, TokenMean, TokenSelect>;

struct Layer {
  std::string name;
  Op op;
  std::vector<int> inputs;  // indices of earlier layers
  std::string module;       // layers of one non-empty module are one block ("encoder0")
  TensorShape output;
};

// "conv", "linear", … : the operator as it is named in model files.
const char* op_name(const Op& op);

// Convolution, linear, embedding, recurrent, attention: what a block is built around.
bool is_parametric(const Op& op);

}  // namespace ampere
