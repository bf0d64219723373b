#include "method/kernels/cut/operators.h"

#include <algorithm>
#include <map>
#include <set>

#include "model/functions.h"

namespace ampere {
namespace {

template <class... Any>
bool is_any(const Op& op) {
  return (std::holds_alternative<Any>(op) || ...);
}

std::string hyphened(std::string text) {
  std::ranges::replace(text, '_', '-');
  return text;
}

std::string short_name(Function function) {
  switch (function) {
    case Function::relu6:
      return "relu";
    case Function::hard_swish:
      return "hswish";
    case Function::hard_sigmoid:
      return "hsigmoid";
    default:
      return hyphened(info(function).name);
  }
}

bool is_global(const AdaptivePool& op) {
  return std::ranges::all_of(op.extent, [](std::int64_t extent) { return extent == 1; });
}

struct NameOf {
  std::int64_t channels;  // of what the layer reads

  std::string operator()(const Conv& op) const {
    if (op.depthwise || (op.groups > 1 && op.groups == channels && op.out_channels == channels))
      return "dwconv";
    return op.groups > 1 ? "gconv" : "conv";
  }
  std::string operator()(const ConvTranspose&) const { return "convtranspose"; }
  std::string operator()(const Linear&) const { return "fc"; }
  std::string operator()(const BatchNorm&) const { return "bn"; }
  std::string operator()(const Activation& op) const { return short_name(op.function); }
  std::string operator()(const Pool& op) const {
    return op.pooling == Pooling::max ? "maxpool" : "avgpool";
  }
  std::string operator()(const AdaptivePool& op) const {
    return std::string(is_global(op) ? "global-" : "adaptive-") +
           (op.pooling == Pooling::max ? "maxpool" : "avgpool");
  }
  std::string operator()(const Recurrent& op) const {
    return std::string(op.bidirectional ? "bi" : "") + (op.cell == Cell::lstm ? "lstm" : "gru");
  }
  std::string operator()(const Concat& op) const { return op.axis ? "concat-axis" : "concat"; }
  std::string operator()(const Chunk&) const { return "split"; }
  template <class Other>
  std::string operator()(const Other& op) const {
    return hyphened(op_name(op));
  }
};

template <std::size_t... I>
std::vector<Op> every_alternative(std::index_sequence<I...>) {
  return {std::variant_alternative_t<I, AnyOp>{}...};
}

std::vector<std::string> all_names() {
  std::set<std::string> names{
      "gconv", "dwconv", "avgpool",          "global-maxpool", "global-avgpool", "adaptive-avgpool",
      "gru",   "bilstm", "adaptive-maxpool", "bigru",          "concat-axis"};
  for (const Op& op : every_alternative(std::make_index_sequence<std::variant_size_v<AnyOp>>()))
    if (!is_free(op)) names.insert(std::visit(NameOf{0}, op));
  for (const FunctionInfo& function : functions()) names.insert(short_name(function.function));
  return {names.begin(), names.end()};
}

}  // namespace

std::string operator_name(const Layer& layer, const Model& model) {
  const std::int64_t channels =
      layer.inputs.empty() ? 0 : model.layers()[layer.inputs.front()].output.channels;
  return std::visit(NameOf{channels}, layer.op);
}

const std::vector<std::string>& operator_names() {
  static const std::vector<std::string> names = all_names();
  return names;
}

bool is_free(const Op& op) {
  return is_any<Input, Parameter, Dropout, Flatten, Reshape, Expand>(op);
}

bool works_number_by_number(const Op& op) {
  return is_any<BatchNorm, Scale, Activation, PRelu, Add, Multiply, Subtract, Divide>(op);
}

std::vector<std::vector<int>> readers_of(const Model& model) {
  std::vector<std::vector<int>> readers(model.layers().size());
  for (int i = 0; i < static_cast<int>(model.layers().size()); ++i) {
    const std::vector<int>& inputs = model.layers()[i].inputs;
    for (const int input : std::set<int>(inputs.begin(), inputs.end())) readers[input].push_back(i);
  }
  return readers;
}

}  // namespace ampere
