#include "ampere/layer.h"

namespace ampere {
namespace {

const char* name_of(Function function) {
  switch (function) {
    case Function::relu:
      return "relu";
    case Function::relu6:
      return "relu6";
    case Function::gelu:
      return "gelu";
    case Function::silu:
      return "silu";
    case Function::hard_swish:
      return "hard_swish";
    case Function::hard_sigmoid:
      return "hard_sigmoid";
    case Function::sigmoid:
      return "sigmoid";
    case Function::tanh:
      return "tanh";
  }
  return "unknown function";
}

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
  const char* operator()(const Activation& op) const { return name_of(op.function); }
  const char* operator()(const Pool& op) const {
    return op.pooling == Pooling::max ? "max_pool" : "average_pool";
  }
  const char* operator()(const AdaptivePool&) const { return "adaptive_pool"; }
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
};

}  // namespace

const char* op_name(const Op& op) { return std::visit(Name{}, op); }

bool is_parametric(const Op& op) {
  return std::holds_alternative<Conv>(op) || std::holds_alternative<Linear>(op) ||
         std::holds_alternative<Embedding>(op) || std::holds_alternative<Recurrent>(op) ||
         std::holds_alternative<SelfAttention>(op);
}

}  // namespace ampere
