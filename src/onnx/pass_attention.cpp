#include <cmath>
#include <optional>

#include "onnx/passes.h"

namespace ampere::onnx {
namespace {

Axis whole(int axis, std::int64_t stride, std::int64_t length) {
  return length == 1 ? Axis{} : Axis{{axis, stride, length}};
}

// The layer before factors, and their product.
int without_factors(const Draft& draft, int layer, double& factor) {
  while (const auto* activation = layer_as<Activation>(draft, layer)) {
    if (activation->function != Function::affine || activation->parameters.size() != 2 ||
        activation->parameters[1] != 0)
      break;
    factor *= activation->parameters[0];
    layer = draft[layer].inputs[0];
  }
  return layer;
}

int without_dropout(const Draft& draft, int layer) {
  return layer_as<Dropout>(draft, layer) ? draft[layer].inputs[0] : layer;
}

// The sequence of which `layer` is the heads, arranged as asked.
std::optional<int> heads_of(const Draft& draft, int layer, std::int64_t heads, bool turned,
                            double& factor) {
  layer = without_factors(draft, layer, factor);
  if (!draft[layer].is_arrangement) return std::nullopt;
  const int source = draft[layer].inputs[0];
  const TensorShape& shape = draft[source].shape;
  if (shape.layout != Layout::sequence || shape.channels % heads != 0) return std::nullopt;
  const std::int64_t width = shape.channels / heads;
  const Axis by_head = whole(1, width, heads), token = whole(0, 1, shape.extent[0]),
             unit = whole(1, 1, width);
  const std::vector<Axis> expected =
      turned ? std::vector<Axis>{by_head, unit, token} : std::vector<Axis>{by_head, token, unit};
  if (draft[layer].arranged != expected) return std::nullopt;
  return without_factors(draft, source, factor);
}

struct Projection {
  int input = -1;
  Constant weight;
  std::optional<Constant> bias;
};

// The part-th of three projections: a layer of its own, or a third of one for all three.
std::optional<Projection> projection(const Draft& draft, int layer, std::int64_t part) {
  std::int64_t begin = 0;
  std::int64_t rows = draft[layer].shape.channels;
  if (const auto* chunk = layer_as<Chunk>(draft, layer)) {
    if (chunk->parts != 3 || chunk->index != part) return std::nullopt;
    begin = chunk->index * rows;
    layer = draft[layer].inputs[0];
  }
  if (!layer_as<Linear>(draft, layer)) return std::nullopt;
  const auto& weights = draft[layer].weights;
  Projection result{draft[layer].inputs[0], sliced(weights.at("weight"), 0, begin, rows), {}};
  if (const auto bias = weights.find("bias"); bias != weights.end())
    result.bias = sliced(bias->second, 0, begin, rows);
  return result;
}

struct Attention {
  std::int64_t heads = 0;
  std::vector<Projection> projections;
};

// Q, K and V behind the product of scores and values.
std::optional<Attention> attention_of(const Draft& draft, int product) {
  if (!layer_as<MatMul>(draft, product)) return std::nullopt;
  const int softmax = without_dropout(draft, draft[product].inputs[0]);
  const auto* normalised = layer_as<Softmax>(draft, softmax);
  if (!normalised || normalised->log || normalised->axis.value_or(2) != 2) return std::nullopt;
  double factor = 1;
  const int scores = without_factors(draft, draft[softmax].inputs[0], factor);
  if (!layer_as<MatMul>(draft, scores) || draft[scores].shape.extent.size() != 3)
    return std::nullopt;
  Attention result{draft[scores].shape.extent[0], {}};
  double unscaled = 1;
  const std::optional<int> q =
      heads_of(draft, draft[scores].inputs[0], result.heads, false, factor);
  const std::optional<int> k = heads_of(draft, draft[scores].inputs[1], result.heads, true, factor);
  const std::optional<int> v =
      heads_of(draft, draft[product].inputs[1], result.heads, false, unscaled);
  if (!q || !k || !v || unscaled != 1) return std::nullopt;
  const double width = static_cast<double>(draft[*q].shape.channels / result.heads);
  if (std::abs(factor * std::sqrt(width) - 1) > 1e-4) return std::nullopt;
  for (const auto& [layer, part] : {std::pair(*q, 0), std::pair(*k, 1), std::pair(*v, 2)}) {
    const std::optional<Projection> found = projection(draft, layer, part);
    if (!found) return std::nullopt;
    result.projections.push_back(*found);
  }
  const int input = result.projections[0].input;
  const TensorShape& shape = draft[input].shape;
  for (const Projection& each : result.projections)
    if (each.input != input || each.bias.has_value() != result.projections[0].bias.has_value() ||
        each.weight.dims() != Dims{shape.channels, shape.channels})
      return std::nullopt;
  return result;
}

// Heads side by side again, as the output projection reads them.
bool joins_heads(const Draft& draft, int layer) {
  if (!draft[layer].is_arrangement || draft[layer].shape.layout != Layout::sequence) return false;
  const std::vector<std::int64_t>& axes = draft[draft[layer].inputs[0]].shape.extent;
  if (draft[draft[layer].inputs[0]].shape.layout != Layout::tensor || axes.size() != 3)
    return false;
  Axis units = whole(0, 1, axes[0]);
  const Axis unit = whole(2, 1, axes[2]);
  units.insert(units.end(), unit.begin(), unit.end());
  return draft[layer].arranged == std::vector<Axis>{whole(1, 1, axes[1]), units};
}

void replace(DraftLayer& layer, const Attention& attention) {
  const std::vector<Projection>& parts = attention.projections;
  const std::int64_t width = parts[0].weight.dims()[0];
  std::map<std::string, Constant> weights{
      {"in_proj_weight", joined({parts[0].weight, parts[1].weight, parts[2].weight}, 0)},
      {"out_proj.weight", layer.weights.at("weight")}};
  const auto out_bias = layer.weights.find("bias");
  const bool bias = parts[0].bias || out_bias != layer.weights.end();
  if (bias) {
    weights["in_proj_bias"] = parts[0].bias
                                  ? joined({*parts[0].bias, *parts[1].bias, *parts[2].bias}, 0)
                                  : filled({3 * width}, 0);
    weights["out_proj.bias"] =
        out_bias != layer.weights.end() ? out_bias->second : filled({width}, 0);
  }
  layer.op = SelfAttention{attention.heads, bias};
  layer.inputs = {parts[0].input};
  layer.weights = std::move(weights);
}

}  // namespace

void join_attention(Draft& draft) {
  for (int i = 0; i < static_cast<int>(draft.layers.size()); ++i) {
    const auto* linear = layer_as<Linear>(draft, i);
    if (!linear || !joins_heads(draft, draft[i].inputs[0])) continue;
    const std::optional<Attention> found = attention_of(draft, draft[draft[i].inputs[0]].inputs[0]);
    if (found && draft[i].shape == draft[found->projections[0].input].shape)
      replace(draft[i], *found);
  }
}

}  // namespace ampere::onnx
