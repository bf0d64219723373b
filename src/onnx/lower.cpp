#include "onnx/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "ampere/error.h"
#include "onnx/arrange.h"

namespace ampere::onnx {
namespace {

// Parametric layers on the longest way to each layer.
std::vector<int> depths(const Draft& draft) {
  std::vector<int> depth(draft.layers.size(), 0);
  for (std::size_t i = 0; i < draft.layers.size(); ++i) {
    const DraftLayer& layer = draft.layers[i];
    for (const int input : layer.inputs) depth[i] = std::max(depth[i], depth[input]);
    if (!layer.is_arrangement && is_parametric(layer.op)) ++depth[i];
  }
  return depth;
}

// What the output needs: inputs first, as in the file; then depth first, and of the operands of a
// sum the shallower first. So a shortcut comes before the branch it is added to, wherever the
// exporter put it, and the sum ends the branch.
std::vector<int> ordered_layers(const Draft& draft) {
  const std::vector<int> depth = depths(draft);
  const std::vector<int> read = readers(draft);
  std::vector<int> order;
  std::vector<bool> seen(draft.layers.size(), false);
  for (int i = 0; i < static_cast<int>(draft.layers.size()); ++i)
    if (read[i] > 0 && layer_as<Input>(draft, i)) {
      order.push_back(i);
      seen[i] = true;
    }
  struct Visit {
    int layer;
    std::vector<int> rest;  // inputs still to be visited, the next one last
  };
  std::vector<Visit> stack;
  const auto enter = [&](int layer) {
    if (seen[layer]) return;
    seen[layer] = true;
    std::vector<int> inputs = draft[layer].inputs;
    if (layer_as<Add>(draft, layer))
      std::ranges::stable_sort(inputs, {}, [&](int input) { return depth[input]; });
    std::ranges::reverse(inputs);
    stack.push_back({layer, std::move(inputs)});
  };
  enter(draft.output);
  while (!stack.empty()) {
    if (stack.back().rest.empty()) {
      order.push_back(stack.back().layer);
      stack.pop_back();
      continue;
    }
    const int next = stack.back().rest.back();
    stack.back().rest.pop_back();
    enter(next);
  }
  return order;
}

class Lowering {
 public:
  Lowering(const Draft& draft, const std::string& name)
      : draft_(draft), builder_(name), built_(draft.layers.size(), -1) {}

  Lowered run() && {
    Lowered result;
    for (const int layer : ordered_layers(draft_)) {
      try {
        add(layer);
      } catch (const Error& error) {
        result.problems.push_back({draft_[layer].name, draft_[layer].node_op, error.what()});
        return result;
      }
    }
    result.model = std::move(builder_).build();
    result.layer_of = std::move(layer_of_);
    for (const int layer : result.layer_of)
      if (layer >= 0 && layer_as<Input>(draft_, layer))
        result.input_names.push_back(draft_[layer].name);
    return result;
  }

 private:
  void add(int layer) {
    const DraftLayer& drafted = draft_[layer];
    std::vector<int> inputs;
    for (const int input : drafted.inputs) inputs.push_back(built_[input]);
    builder_.module(drafted.module);
    if (!drafted.is_arrangement) {
      built_[layer] = builder_.add(drafted.op, inputs, unique(drafted.name));
      layer_of_.push_back(layer);
      tie(layer);
      return;
    }
    for (const Op& op : arranging_ops(draft_[drafted.inputs[0]].shape, drafted)) {
      built_[layer] = builder_.add(op, inputs, unique(drafted.name));
      layer_of_.push_back(-1);
      inputs = {built_[layer]};
    }
  }

  // An embedding and an output layer that read one initializer share its matrix. Two layers of the
  // same kind may only seem to: exporters write one of several matrices that are equal, as those of
  // an encoder's layers are before training.
  void tie(int layer) {
    const auto weight = draft_[layer].weights.find("weight");
    if (weight == draft_[layer].weights.end() || !weight->second.learned ||
        weight->second.name.empty() || weight->second.dims().size() < 2 ||
        !is_parametric(draft_[layer].op))
      return;
    const auto [first, is_new] =
        matrices_.try_emplace({weight->second.name, weight->second.dims()}, layer);
    if (!is_new && draft_[first->second].op.index() != draft_[layer].op.index() &&
        is_same(draft_[first->second].weights.at("weight"), weight->second))
      builder_.tie(built_[layer], built_[first->second]);
  }

  // A square matrix does not show by its shape whether it was transposed on its way to a layer.
  static bool is_same(const Constant& one, const Constant& other) {
    const bool square = one.dims().size() == 2 && one.dims()[0] == one.dims()[1];
    return !square || !one.known() || !other.known() || one.numbers() == other.numbers();
  }

  // Layers that come from one node are numbered.
  std::string unique(std::string name) {
    if (name.empty()) return "";
    int& number = numbers_[name];
    std::string candidate = number == 0 ? name : fmt::format("{}#{}", name, number + 1);
    ++number;
    while (!names_.insert(candidate).second) candidate = fmt::format("{}#{}", name, ++number);
    return candidate;
  }

  const Draft& draft_;
  ModelBuilder builder_;
  std::vector<int> built_, layer_of_;
  std::map<std::string, int> numbers_;
  std::unordered_set<std::string> names_;
  std::map<std::pair<std::string, Dims>, int> matrices_;  // by initializer: the first layer
};

}  // namespace

Lowered lower(const Draft& draft, const std::string& name) { return Lowering(draft, name).run(); }

std::optional<Weights> read_weights(const Draft& draft, const Lowered& lowered) {
  Weights weights;
  const std::vector<Layer>& layers = lowered.model->layers();
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (lowered.layer_of[i] < 0) continue;
    const auto& given = draft[lowered.layer_of[i]].weights;
    for (const WeightShape& shape : weight_shapes(layers[i], *lowered.model)) {
      const auto found = given.find(shape.name);
      if (found == given.end() || !found->second.known()) return std::nullopt;
      const Constant::Numbers& numbers = found->second.numbers();
      if (static_cast<std::int64_t>(numbers.size()) != element_count(shape.sizes))
        throw Unsupported{fmt::format("'{}.{}' has {} numbers instead of {}", layers[i].name,
                                      shape.name, numbers.size(), element_count(shape.sizes))};
      weights[layers[i].name + "." + shape.name] = {
          shape.sizes, std::vector<float>(numbers.begin(), numbers.end())};
    }
  }
  return weights;
}

}  // namespace ampere::onnx
