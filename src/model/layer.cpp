#include "ampere/layer.h"

#include "model/functions.h"

namespace ampere {
namespace {

struct Name {
  const char* operator()(const Input&) const { return "input"; }
  const char* operator()(const Conv&) const { return "conv"; }
  const char* operator()(const Linear&) const { return "linear"; }
  const char* operator()(const Embedding&) const { return "embedding"; }
  const char* operator()(const Recurrent& op) const {
    return op.cell == Cell::lstm ? "lstm" : "gru";
  }
  const char* operator()(const SelfAttention&) const { return "self_attention"; }
  const char* operator()(const BatchNorm&) const { return "batch_norm"; }
  const char* operator()(const LayerNorm&) const { return "layer_norm"; }
  const char* operator()(const ClassToken&) const { return "class_token"; }
  const char* operator()(const PositionEmbedding&) const { return "position_embedding"; }
  const char* operator()(const Activation& op) const { return info(op.function).name.c_str(); }
  const char* operator()(const Pool& op) const {
    return op.pooling == Pooling::max ? "max_pool" : "average_pool";
  }
  const char* operator()(const AdaptivePool& op) const {
    return op.pooling == Pooling::max ? "adaptive_max_pool" : "adaptive_pool";
  }
  const char* operator()(const Flatten&) const { return "flatten"; }
  const char* operator()(const Dropout&) const { return "dropout"; }
  const char* operator()(const Add&) const { return "add"; }
  const char* operator()(const Multiply&) const { return "multiply"; }
  const char* operator()(const Concat&) const { return "concat"; }
  const char* operator()(const Chunk&) const { return "chunk"; }
  const char* operator()(const ChannelShuffle&) const { return "channel_shuffle"; }
  const char* operator()(const ToSequence&) const { return "to_sequence"; }
  const char* operator()(const TokenMean&) const { return "token_mean"; }
  const char* operator()(const TokenSelect&) const { return "token_select"; }
  const char* operator()(const ConvTranspose&) const { return "conv_transpose"; }
  const char* operator()(const GroupNorm&) const { return "group_norm"; }
  const char* operator()(const InstanceNorm&) const { return "instance_norm"; }
  const char* operator()(const Scale&) const { return "scale"; }
  const char* operator()(const Parameter&) const { return "parameter"; }
  const char* operator()(const PRelu&) const { return "prelu"; }
  const char* operator()(const Upsample&) const { return "upsample"; }
  const char* operator()(const Pad&) const { return "pad"; }
  const char* operator()(const Subtract&) const { return "subtract"; }
  const char* operator()(const Divide&) const { return "divide"; }
  const char* operator()(const Slice&) const { return "slice"; }
  const char* operator()(const Softmax& op) const { return op.log ? "log_softmax" : "softmax"; }
  const char* operator()(const Reduce& op) const {
    switch (op.reduction) {
      case Reduction::sum:
        return "reduce_sum";
      case Reduction::max:
        return "reduce_max";
      case Reduction::l2:
        return "reduce_l2";
      case Reduction::mean:
        break;
    }
    return "reduce_mean";
  }
  const char* operator()(const FromSequence&) const { return "from_sequence"; }
  const char* operator()(const Reshape&) const { return "reshape"; }
  const char* operator()(const Permute&) const { return "permute"; }
  const char* operator()(const Expand&) const { return "expand"; }
  const char* operator()(const MatMul&) const { return "matmul"; }
  const char* operator()(const Gather&) const { return "gather"; }
};

}  // namespace

Op::Op() = default;
Op::Op(const Op& other) = default;
Op::Op(Op&& other) noexcept = default;
Op& Op::operator=(const Op& other) = default;
Op& Op::operator=(Op&& other) noexcept = default;
Op::~Op() = default;

const char* op_name(const Op& op) { return std::visit(Name{}, op); }

bool reads_nothing(const Op& op) {
  return std::holds_alternative<Input>(op) || std::holds_alternative<Parameter>(op);
}

bool is_parametric(const Op& op) {
  return std::holds_alternative<Conv>(op) || std::holds_alternative<ConvTranspose>(op) ||
         std::holds_alternative<Linear>(op) || std::holds_alternative<Embedding>(op) ||
         std::holds_alternative<Recurrent>(op) || std::holds_alternative<SelfAttention>(op);
}

}  // namespace ampere
