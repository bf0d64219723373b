// The operators a network is made of, each a plain value. What is not written in an operator
// (input channels, output shape) follows from the layers it reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ampere {

enum class Layout {
  tokens,    // T integer ids below `channels` (the vocabulary)
  flat,      // C
  sequence,  // T × C
  line,      // C × L
  image,     // C × H × W
  tensor,    // axes without a meaning of their own; `channels` is 1
};

struct TensorShape {
  Layout layout = Layout::flat;
  std::int64_t channels = 0;
  std::vector<std::int64_t> extent;  // {} flat, {T} tokens and sequence, {L} line, {H, W} image,
                                     // all axes of a tensor

  std::int64_t positions() const;  // product of the extent; 1 when flat
  std::int64_t elements() const;  // numbers in one sample: T for tokens, channels × positions else
  std::vector<std::int64_t> axes() const;  // lengths in the order of memory: C, H, W; T, C; …
  friend bool operator==(const TensorShape&, const TensorShape&) = default;
};

TensorShape flat(std::int64_t channels);
TensorShape tokens(std::int64_t length, std::int64_t vocabulary);
TensorShape sequence(std::int64_t length, std::int64_t channels);
TensorShape line(std::int64_t channels, std::int64_t length);
TensorShape image(std::int64_t channels, std::int64_t height, std::int64_t width);
TensorShape tensor(std::vector<std::int64_t> axes);

const char* to_string(Layout layout);
std::string to_string(const TensorShape& shape);  // "16x14x14", "64 tokens", "64x128 sequence",
                                                  // "4x64x64 tensor"

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

// The gradient of a convolution used forwards: stride × the extent. `output_padding` tells apart
// the extents that a strided convolution would map to one.
struct ConvTranspose {
  std::int64_t out_channels = 0;
  std::vector<std::int64_t> kernel = {}, stride = {}, padding = {}, output_padding = {},
                            dilation = {};
  std::int64_t groups = 1;
  bool bias = true;
};

struct Linear {  // over the channels of a flat tensor or of every token; a tensor's last axis
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
  bool bidirectional = false;  // gives 2 × hidden channels: forwards, then backwards
  bool bias = true;
};

struct SelfAttention {  // query, key, value and output projections, softmax between
  std::int64_t heads = 1;
  bool bias = true;  // of the projections
};

// Normalisations. `affine`: with a learned scale and shift per channel.
inline constexpr double kNormEpsilon = 1e-5;
struct BatchNorm {
  double epsilon = kNormEpsilon;
};
struct LayerNorm {  // over the channels, at every position; over a tensor's last axis
  double epsilon = kNormEpsilon;
  bool affine = true;
};
struct GroupNorm {  // over the positions and channels of each group
  std::int64_t groups = 1;
  double epsilon = kNormEpsilon;
  bool affine = true;
};
struct InstanceNorm {  // over the positions of each channel
  double epsilon = kNormEpsilon;
  bool affine = true;
};

struct Scale {  // a learned factor per channel, and a learned offset
  bool bias = false;
};
struct ClassToken {};       // a learned token put in front of the sequence
struct PositionEmbedding {  // a learned vector added at each position
  std::int64_t rows = 0;    // vectors in the table, of which the first are used; 0: as many as
                            // positions
};
struct Parameter {  // a tensor of its own, the same for every sample; reads nothing
  TensorShape shape;
  bool learned = true;    // else a constant
  std::int64_t rows = 0;  // of a sequence: its positions are rows of a table with this many, picked
                          // by fixed indices; 0: it is the table itself
};

// A function of each number. The last ones have parameters, by default as given here.
enum class Function {
  relu,
  relu6,
  gelu,
  silu,
  hard_swish,
  hard_sigmoid,
  sigmoid,
  tanh,
  gelu_tanh,  // GELU in its approximation by tanh
  selu,
  softplus,
  softsign,
  mish,
  exp,
  log,
  abs,
  erf,
  leaky_relu,  // {slope 0.01}
  elu,         // {alpha 1}
  clip,        // {low, high}: both as wide as fp32 goes
  affine,      // {factor 1, offset 0}: factor·x + offset
  power,       // {exponent 2}: also 0.5 for a square root, -1 for 1/x
};
struct Activation {
  Function function = Function::relu;
  std::vector<double> parameters = {};  // all of them or none
};
struct PRelu {          // a leaky ReLU whose slope is learned
  bool shared = false;  // one slope for all channels
};

enum class Pooling { max, average };
struct Pool {
  Pooling pooling = Pooling::max;
  std::vector<std::int64_t> kernel, stride, padding;
  bool ceil = false;          // round output extents up instead of down
  bool count_padding = true;  // padded zeros take part in an average
};
struct AdaptivePool {  // pools down to this extent; {1, 1} is global pooling
  std::vector<std::int64_t> extent;
  Pooling pooling = Pooling::average;
};

enum class Interpolation { nearest, linear };
struct Upsample {  // to this extent
  std::vector<std::int64_t> extent;
  Interpolation interpolation = Interpolation::nearest;
  bool align_corners = false;  // of linear: first and last positions stay where they are
};
struct Pad {  // along the extent, with one number
  std::vector<std::int64_t> before, after;
  double value = 0;
};

struct Flatten {};
struct Dropout {
  double probability = 0.5;
  bool samples = false;  // drops whole samples (stochastic depth) instead of single numbers
};

// Shapes that differ are broadcast: a C×1×1 or flat operand over positions
// (squeeze-and-excitation), else axes of length 1 as the other's, aligned at the last axis.
struct Add {};
struct Multiply {};
struct Subtract {};  // the first less the second
struct Divide {};    // the first by the second

// An axis is counted from 0 in the order in which a sample lies in memory (C, H, W for an image; T,
// C for a sequence), from the end when negative. No axis: the channels; a tensor has none.
struct Concat {
  std::optional<std::int64_t> axis;
};
struct Chunk {  // the index-th of `parts` equal shares of the channels
  std::int64_t parts = 2;
  std::int64_t index = 0;
};
struct Slice {  // from `begin` to before `end`
  std::optional<std::int64_t> axis;
  std::int64_t begin = 0, end = 0, step = 1;
};
struct Gather {  // `count` entries along the axis, picked by fixed indices; any may repeat
  std::optional<std::int64_t> axis;
  std::int64_t count = 0;
};
struct Softmax {
  std::optional<std::int64_t> axis;
  bool log = false;  // its logarithm
};
enum class Reduction { mean, sum, max, l2 };
struct Reduce {  // the axes stay, with length 1; l2 is the square root of the sum of squares
  Reduction reduction = Reduction::mean;
  std::vector<std::int64_t> axes;
};

struct ChannelShuffle {
  std::int64_t groups = 2;
};
struct ToSequence {};  // C × L to L × C, C × H × W to (H·W) × C
struct FromSequence {  // T × C to C × L or C × H × W
  std::vector<std::int64_t> extent;
};
struct TokenMean {};  // sequence to flat
struct TokenSelect {  // one position of a sequence, flat
  std::int64_t index = 0;
};

// What no operator above says. Where channels do not keep their place they cannot be varied.
struct Reshape {  // the same numbers in the same order
  TensorShape shape;
};
struct Permute {  // axis i of the tensor it gives is axis order[i] of what it reads
  std::vector<std::int64_t> order;
};
struct Expand {  // axes of length 1 repeated
  TensorShape shape;
};
struct MatMul {};  // over the last two axes of two inputs; the axes before are broadcast

using AnyOp =
    std::variant<Input, Conv, Linear, Embedding, Recurrent, SelfAttention, BatchNorm, LayerNorm,
                 ClassToken, PositionEmbedding, Activation, Pool, AdaptivePool, Flatten, Dropout,
                 Add, Multiply, Concat, Chunk, ChannelShuffle, ToSequence, TokenMean, TokenSelect,
                 ConvTranspose, GroupNorm, InstanceNorm, Scale, Parameter, PRelu, Upsample, Pad,
                 Subtract, Divide, Slice, Softmax, Reduce, FromSequence, Reshape, Permute, Expand,
                 MatMul, Gather>;

// One operator. A class, and not the variant itself, so that its many ways to be copied and
// destroyed are compiled once and not wherever a network is.
class Op : public AnyOp {
 public:
  using AnyOp::AnyOp;
  Op();
  Op(const Op& other);
  Op(Op&& other) noexcept;
  Op& operator=(const Op& other);
  Op& operator=(Op&& other) noexcept;
  ~Op();
};

struct Layer {
  std::string name;
  Op op;
  std::vector<int> inputs;  // indices of earlier layers
  std::string module;       // layers of one non-empty module are one block ("encoder0")
  int shares = -1;  // the earlier layer whose "weight" it uses instead of one of its own; -1: none
  // What follows from the above:
  TensorShape output;
  bool needs_gradient = false;  // something learned, or a boundary, lies here or before
  // An input lies here or before. What is made of parameters alone is the same for all samples, and
  // is computed once per iteration.
  bool per_sample = false;
};

// "conv", "linear", … : the operator as it is named in model files.
const char* op_name(const Op& op);

// Whether the operator stands at the beginning of a network: an input or a parameter.
bool reads_nothing(const Op& op);

// Convolution (transposed or not), linear, embedding, recurrent, attention: what a block is built
// around.
bool is_parametric(const Op& op);

}  // namespace ampere
