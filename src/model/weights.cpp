#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "ampere/error.h"
#include "ampere/model.h"
#include "model/axes.h"
#include "model/checked.h"
#include "model/layer_weights.h"

namespace ampere {
namespace {

using Sizes = std::vector<std::int64_t>;
using Tensors = std::vector<WeightShape>;

Sizes joined(Sizes sizes, const Sizes& more) {
  sizes.insert(sizes.end(), more.begin(), more.end());
  return sizes;
}

Tensors weight_and_bias(Sizes weight, Sizes bias, bool with_bias) {
  Tensors tensors{{"weight", std::move(weight)}};
  if (with_bias) tensors.push_back({"bias", std::move(bias)});
  return tensors;
}

struct WeightsOf {  // what an operator holds, by the shapes it reads and writes
  std::span<const TensorShape> inputs;
  const TensorShape& output;

  Tensors operator()(const Conv& op) const {
    const std::int64_t fan_in = op.depthwise ? 1 : inputs[0].channels / op.groups;
    return weight_and_bias(joined({output.channels, fan_in}, op.kernel), {output.channels},
                           op.bias);
  }
  Tensors operator()(const ConvTranspose& op) const {
    return weight_and_bias(joined({inputs[0].channels, op.out_channels / op.groups}, op.kernel),
                           {op.out_channels}, op.bias);
  }
  Tensors operator()(const Linear& op) const {
    return weight_and_bias({op.out_features, features(inputs[0])}, {op.out_features}, op.bias);
  }
  Tensors operator()(const Embedding& op) const {
    return {{"weight", {inputs[0].channels, op.dim}}};
  }
  Tensors operator()(const Recurrent& op) const {
    const std::int64_t rows = product({op.cell == Cell::lstm ? 4 : 3, op.hidden});
    Tensors tensors;
    for (const char* direction : {"", "_reverse"}) {
      if (*direction && !op.bidirectional) break;
      const auto add = [&](const char* name, Sizes sizes) {
        tensors.push_back({fmt::format("{}_l0{}", name, direction), std::move(sizes)});
      };
      add("weight_ih", {rows, inputs[0].channels});
      add("weight_hh", {rows, op.hidden});
      if (!op.bias) continue;
      add("bias_ih", {rows});
      add("bias_hh", {rows});
    }
    return tensors;
  }
  Tensors operator()(const SelfAttention& op) const {
    const std::int64_t d = inputs[0].channels;
    if (!op.bias) return {{"in_proj_weight", {3 * d, d}}, {"out_proj.weight", {d, d}}};
    return {{"in_proj_weight", {3 * d, d}},
            {"in_proj_bias", {3 * d}},
            {"out_proj.weight", {d, d}},
            {"out_proj.bias", {d}}};
  }
  Tensors operator()(const BatchNorm&) const {
    const Sizes channels{output.channels};
    return {{"weight", channels},
            {"bias", channels},
            {"running_mean", channels, false},
            {"running_var", channels, false}};
  }
  Tensors operator()(const LayerNorm& op) const { return norm(op.affine); }
  Tensors operator()(const GroupNorm& op) const { return norm(op.affine); }
  Tensors operator()(const InstanceNorm& op) const { return norm(op.affine); }
  Tensors operator()(const Scale& op) const {
    return weight_and_bias({output.channels}, {output.channels}, op.bias);
  }
  Tensors operator()(const PRelu& op) const {
    return {{"weight", {op.shared ? 1 : output.channels}}};
  }
  Tensors operator()(const ClassToken&) const { return {{"token", {output.channels}}}; }
  Tensors operator()(const PositionEmbedding& op) const {
    return {{"position", {op.rows > 0 ? op.rows : output.extent[0], output.channels}}};
  }
  Tensors operator()(const Parameter& op) const {
    if (op.rows == 0) return {{"value", output.axes(), op.learned}};
    return {{"value", {op.rows, output.channels}, op.learned}, {"index", output.extent, false}};
  }
  Tensors operator()(const Gather& op) const { return {{"index", {op.count}, false}}; }
  template <class Other>
  Tensors operator()(const Other&) const {
    return {};
  }

 private:
  Tensors norm(bool affine) const {
    if (!affine) return {};
    return weight_and_bias({features(output)}, {features(output)}, true);
  }
};

std::string sizes_text(const Sizes& sizes) { return fmt::format("{}", fmt::join(sizes, "x")); }

std::string key_of(const Layer& layer, const WeightShape& tensor) {
  return layer.name + '.' + tensor.name;
}

// What is wrong with one tensor; empty when nothing is.
std::string complaint(const std::string& key, const WeightShape& expected, const Weights& weights) {
  const auto found = weights.find(key);
  if (found == weights.end()) return fmt::format("'{}' is missing", key);
  const FloatTensor& given = found->second;
  if (given.sizes != expected.sizes)
    return fmt::format("'{}' is {} instead of {}", key, sizes_text(given.sizes),
                       sizes_text(expected.sizes));
  if (static_cast<std::int64_t>(given.values.size()) != size_of(expected.sizes))
    return fmt::format("'{}' has {} values instead of {}", key, given.values.size(),
                       size_of(expected.sizes));
  return "";
}

}  // namespace

std::vector<WeightShape> weights_of(const Op& op, std::span<const TensorShape> inputs,
                                    const TensorShape& output) {
  return std::visit(WeightsOf{inputs, output}, op);
}

std::int64_t parameter_count(const Op& op, std::span<const TensorShape> inputs,
                             const TensorShape& output) {
  std::int64_t total = 0;
  for (const WeightShape& tensor : weights_of(op, inputs, output))
    if (tensor.learned) total = sum({total, size_of(tensor.sizes)});
  return total;
}

std::vector<TensorShape> input_shapes(const Layer& layer, const Model& model) {
  std::vector<TensorShape> shapes;
  shapes.reserve(layer.inputs.size());
  for (const int input : layer.inputs) shapes.push_back(model.layers().at(input).output);
  return shapes;
}

std::vector<WeightShape> weight_shapes(const Layer& layer, const Model& model) {
  std::vector<WeightShape> shapes = weights_of(layer.op, input_shapes(layer, model), layer.output);
  if (layer.shares >= 0)
    std::erase_if(shapes, [](const WeightShape& shape) { return shape.name == "weight"; });
  return shapes;
}

void check_weights(const Model& model, const Weights& weights) {
  std::vector<std::string> complaints;
  std::set<std::string> known;
  for (const Layer& layer : model.layers())
    for (const WeightShape& tensor : weight_shapes(layer, model)) {
      const std::string key = key_of(layer, tensor);
      known.insert(key);
      if (std::string text = complaint(key, tensor, weights); !text.empty())
        complaints.push_back(std::move(text));
    }
  for (const auto& [key, tensor] : weights)
    if (!known.contains(key)) complaints.push_back(fmt::format("'{}' is no tensor of it", key));
  if (!complaints.empty())
    throw Error(ErrorCode::usage,
                fmt::format("weights of {}: {}", model.name(), fmt::join(complaints, "; ")));
}

}  // namespace ampere
