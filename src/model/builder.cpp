#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "ampere/model.h"
#include "model/checked.h"
#include "model/layer_weights.h"
#include "model/shapes.h"

namespace ampere {
namespace {

// The text another layer's author can find again, whatever `name` is.
std::string described(const Layer& layer) {
  return fmt::format("layer '{}' ({})", layer.name, op_name(layer.op));
}

// A matrix that means the same wherever it is used.
bool can_share(const Op& op) {
  return std::holds_alternative<Conv>(op) || std::holds_alternative<Linear>(op) ||
         std::holds_alternative<Embedding>(op);
}

bool starts_gradient(const Op& op) {
  const Input* input = std::get_if<Input>(&op);
  return input && input->boundary;
}

}  // namespace

int ModelBuilder::add(Op op, std::string name) {
  std::vector<int> inputs;
  if (!reads_nothing(op)) inputs.push_back(last());
  return add(std::move(op), std::move(inputs), std::move(name));
}

int ModelBuilder::add(Op op, std::vector<int> inputs, std::string name) {
  Layer layer{unique_name(op, std::move(name)), std::move(op), std::move(inputs), module_, -1, {}};
  try {
    if (last() + 1 >= kMaxLayers)
      throw Error(ErrorCode::usage, fmt::format("a network has at most {} layers", kMaxLayers));
    std::vector<TensorShape> shapes;
    for (const int input : layer.inputs) {
      if (input < 0 || input > last())
        throw Error(ErrorCode::usage, last() < 0 ? "the first layer must be an input"
                                                 : "reads a layer that does not come before it");
      shapes.push_back(shape(input));
    }
    layer.output = infer_shape(layer.op, shapes);
    const std::int64_t parameters = parameter_count(layer.op, shapes, layer.output);
    check_range("the number of parameters", parameters, 0, kMaxElements);
    layer.needs_gradient = starts_gradient(layer.op) || parameters > 0 ||
                           std::ranges::any_of(layer.inputs, [&](int input) {
                             return model_.layers_[input].needs_gradient;
                           });
    layer.per_sample = std::holds_alternative<Input>(layer.op) ||
                       std::ranges::any_of(layer.inputs, [&](int input) {
                         return model_.layers_[input].per_sample;
                       });
  } catch (const Error& error) {
    throw error.saying(fmt::format("{}: {}", described(layer), error.what()));
  }
  names_.insert(layer.name);
  model_.layers_.push_back(std::move(layer));
  return last();
}

void ModelBuilder::tie(int layer, int with) {
  Layer& tied = model_.layers_.at(layer);
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::usage, fmt::format("{}: {}", described(tied), why));
  };
  if (with < 0 || with >= layer)
    refuse("shares the weight of a layer that does not come before it");
  if (model_.layers_[with].shares >= 0) with = model_.layers_[with].shares;
  const auto matrix = [&](const Layer& each) -> std::vector<std::int64_t> {
    if (!can_share(each.op)) return {};
    for (const WeightShape& shape : weights_of(each.op, input_shapes(each, model_), each.output))
      if (shape.name == "weight") return shape.sizes;
    return {};
  };
  const std::vector<std::int64_t> own = matrix(tied);
  if (own.empty() || own != matrix(model_.layers_[with]))
    refuse(fmt::format("cannot share the weight of '{}', which has other sizes or none",
                       model_.layers_[with].name));
  tied.shares = with;
}

std::string ModelBuilder::unique_name(const Op& op, std::string name) {
  if (!name.empty()) {
    if (names_.contains(name))
      throw Error(ErrorCode::usage, fmt::format("two layers are named '{}'", name));
    return name;
  }
  const std::string stem = op_name(op);
  if (std::holds_alternative<Input>(op) && !names_.contains(stem)) return stem;
  do name = fmt::format("{}{}", stem, ++numbers_[stem]);
  while (names_.contains(name));
  return name;
}

Model ModelBuilder::build() && {
  if (model_.layers_.empty())
    throw Error(ErrorCode::usage, fmt::format("the network '{}' has no layers", model_.name_));
  return std::move(model_);
}

}  // namespace ampere
