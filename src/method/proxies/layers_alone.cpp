#include <algorithm>

#include "method/proxies/proxies.h"

namespace ampere {
namespace {

// Where data come from, and what only gives them another shape, costs nothing by itself.
bool is_free(const Op& op) {
  return std::holds_alternative<Input>(op) || std::holds_alternative<Flatten>(op) ||
         std::holds_alternative<Reshape>(op) || std::holds_alternative<Parameter>(op);
}

// What the layer reads becomes inputs. They want a gradient, as inside a network they would, unless
// they are raw data there.
Model alone(const Layer& layer, const Model& model) {
  ModelBuilder builder(op_name(layer.op));
  std::vector<int> inputs;
  for (const int index : layer.inputs) {
    const Layer& from = model.layers()[static_cast<std::size_t>(index)];
    const Input* raw = std::get_if<Input>(&from.op);
    inputs.push_back(builder.add(Input{from.output, raw == nullptr || raw->boundary}, {}));
  }
  builder.add(layer.op, std::move(inputs));
  return std::move(builder).build();
}

}  // namespace

std::vector<Model> layers_alone(const Model& model) {
  std::vector<Model> layers;
  for (const Layer& layer : model.layers())
    if (!is_free(layer.op)) layers.push_back(alone(layer, model));
  return layers;
}

std::vector<Phase> phases_of(const Model& layer) {
  std::vector<Phase> phases{Phase::forward};
  const bool learns = count(layer, 1).parameters > 0;
  const bool passes_back = std::ranges::any_of(layer.layers(), [](const Layer& part) {
    const Input* input = std::get_if<Input>(&part.op);
    return input != nullptr && input->boundary;
  });
  if (learns || passes_back) phases.push_back(Phase::backward);
  if (learns) phases.push_back(Phase::update);
  return phases;
}

}  // namespace ampere
