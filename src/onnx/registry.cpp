// Which operators are known, and why others are not.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "onnx/handlers.h"

namespace ampere::onnx {
namespace {

const std::unordered_map<std::string_view, Handler>& handlers() {
  static const std::unordered_map<std::string_view, Handler> table = {
      {"Identity", import_identity},
      {"Cast", import_cast},
      {"CastLike", import_cast},
      {"Reshape", import_reshape},
      {"Flatten", import_flatten},
      {"Transpose", import_transpose},
      {"Squeeze", import_squeeze},
      {"Unsqueeze", import_unsqueeze},
      {"DepthToSpace", import_depth_to_space},
      {"SpaceToDepth", import_space_to_depth},
      {"Slice", import_slice},
      {"Split", import_split},
      {"SplitToSequence", import_split_to_sequence},
      {"SequenceAt", import_sequence_at},
      {"Gather", import_gather},
      {"GatherND", import_gather_nd},
      {"Concat", import_concat},
      {"Expand", import_expand},
      {"Pad", import_pad},
      {"Relu", import_unary},
      {"Sigmoid", import_unary},
      {"Tanh", import_unary},
      {"HardSwish", import_unary},
      {"HardSigmoid", import_unary},
      {"Selu", import_unary},
      {"Elu", import_unary},
      {"LeakyRelu", import_unary},
      {"Gelu", import_unary},
      {"Swish", import_unary},
      {"Softplus", import_unary},
      {"Softsign", import_unary},
      {"Mish", import_unary},
      {"Exp", import_unary},
      {"Log", import_unary},
      {"Abs", import_unary},
      {"Erf", import_unary},
      {"Sqrt", import_unary},
      {"Reciprocal", import_unary},
      {"Neg", import_unary},
      {"Clip", import_clip},
      {"PRelu", import_prelu},
      {"Dropout", import_dropout},
      {"Where", import_where},
      {"Greater", import_comparison},
      {"Equal", import_equal},
      {"IsNaN", import_comparison},
      {"Add", import_binary},
      {"Sub", import_binary},
      {"Mul", import_binary},
      {"Div", import_binary},
      {"Pow", import_binary},
      {"Conv", import_conv},
      {"ConvTranspose", import_conv_transpose},
      {"Gemm", import_gemm},
      {"MatMul", import_matmul},
      {"Einsum", import_einsum},
      {"Attention", import_attention},
      {"LSTM", import_recurrent},
      {"GRU", import_recurrent},
      {"BatchNormalization", import_batch_norm},
      {"LayerNormalization", import_layer_norm},
      {"InstanceNormalization", import_instance_norm},
      {"GroupNormalization", import_group_norm},
      {"MaxPool", import_pool},
      {"AveragePool", import_pool},
      {"GlobalAveragePool", import_global_pool},
      {"GlobalMaxPool", import_global_pool},
      {"ReduceMean", import_reduce},
      {"ReduceSum", import_reduce},
      {"ReduceMax", import_reduce},
      {"ReduceL2", import_reduce},
      {"Softmax", import_softmax},
      {"LogSoftmax", import_softmax},
      {"Resize", import_resize},
      {"Upsample", import_resize},
  };
  return table;
}

// Known on constants alone, or taken by themselves.
bool is_foldable(std::string_view op) {
  static const std::unordered_set<std::string_view> table = {"Constant",
                                                             "Shape",
                                                             "Size",
                                                             "ConstantOfShape",
                                                             "Range",
                                                             "Tile",
                                                             "Floor",
                                                             "Ceil",
                                                             "Round",
                                                             "Not",
                                                             "Sin",
                                                             "Cos",
                                                             "Min",
                                                             "Max",
                                                             "Equal",
                                                             "Less",
                                                             "Sign",
                                                             "IsInf",
                                                             "LessOrEqual",
                                                             "GreaterOrEqual",
                                                             "And",
                                                             "Or",
                                                             "Xor",
                                                             "Mod",
                                                             "Trilu",
                                                             "ReduceProd",
                                                             "ReduceMin",
                                                             "GatherElements",
                                                             "ScatterND",
                                                             "CumSum",
                                                             "Bernoulli",
                                                             "RandomUniform",
                                                             "RandomUniformLike"};
  return table.contains(op);
}

bool is_quantised(std::string_view op) {
  return op.starts_with("QLinear") || op.starts_with("Quantize") || op.starts_with("Dequantize") ||
         op.starts_with("DynamicQuantize") || op.ends_with("Integer");
}

bool is_control_flow(std::string_view op) {
  return op == "If" || op == "Loop" || op == "Scan" || op == "SequenceMap";
}

bool picks_results(std::string_view op) {
  return op == "NonMaxSuppression" || op == "TopK" || op == "ArgMax" || op == "ArgMin" ||
         op == "NonZero" || op == "RoiAlign" || op == "Unique";
}

}  // namespace

Handler find_handler(std::string_view op) {
  const auto found = handlers().find(op);
  if (found == handlers().end())
    throw Unsupported{"is known on constants only, but reads something that depends on the data"};
  return found->second;
}

std::string refusal(const Node& node) {
  if (!node.domain.empty() && node.domain != "ai.onnx")
    return fmt::format("an operator of the domain '{}', which the file does not define",
                       node.domain.substr(0, 100));
  if (handlers().contains(node.op) || is_foldable(node.op)) return "";
  if (is_quantised(node.op))
    return "quantised for inference, so it has no gradient; export the network before quantising";
  if (is_control_flow(node.op))
    return "control flow: what is computed would depend on the data; export one path";
  if (picks_results(node.op))
    return "picks among results and has no gradient; export the network without what follows it";
  return "no operator of this name is known";
}

}  // namespace ampere::onnx
