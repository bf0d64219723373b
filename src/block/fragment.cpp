#include "block/fragment.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ampere {
namespace {

constexpr int kNoLayer = -1;

const Input* as_input(const Layer& layer) { return std::get_if<Input>(&layer.op); }

// Sums that differ in the order of their operands only cost the same.
bool is_commutative(const Op& op) {
  return std::holds_alternative<Add>(op) || std::holds_alternative<Multiply>(op);
}

// Builds one fragment; `at_` maps the network's layers to the fragment's.
class FragmentBuilder {
 public:
  FragmentBuilder(const Model& model, std::span<const int> block)
      : model_(model), block_(block), builder_("block") {}

  Model build() && {
    if (const int starter = find_starter(); starter != kNoLayer)
      if (const int main = trace_to_input(starter); main != kNoLayer) add_input(main);
    for (int layer : block_) add_inputs_of(layer);
    for (int layer : block_)
      if (as_input(model_.layers()[layer])) add_input(layer);
    for (int layer : block_)
      if (!as_input(model_.layers()[layer])) add_layer(model_.layers()[layer], layer);
    return std::move(builder_).build();
  }

 private:
  bool in_block(int layer) const { return std::binary_search(block_.begin(), block_.end(), layer); }

  // The first layer of the block's module, else its first parametric layer, else its first layer;
  // always one that depends on the data.
  int find_starter() const {
    int first = kNoLayer, first_parametric = kNoLayer;
    for (int i : block_) {
      const Layer& layer = model_.layers()[i];
      if (as_input(layer) || !layer.per_sample) continue;
      if (!layer.module.empty()) return i;
      if (first == kNoLayer) first = i;
      if (first_parametric == kNoLayer && is_parametric(layer.op)) first_parametric = i;
    }
    return first_parametric != kNoLayer ? first_parametric : first;
  }

  bool is_source(int layer) const { return as_input(model_.layers()[layer]) || !in_block(layer); }

  // Where the first operand comes from that comes from an input or another block; none for what is
  // made of parameters alone.
  int trace_to_input(int starter) const {
    std::unordered_map<int, int> source;
    for (int layer : block_) {
      int found = kNoLayer;
      for (int input : model_.layers()[layer].inputs)
        if (found == kNoLayer) found = is_source(input) ? input : source.at(input);
      if (layer == starter) return found;
      source[layer] = found;
    }
    return kNoLayer;
  }

  void add_inputs_of(int layer) {
    if (as_input(model_.layers()[layer])) return;
    for (int input : model_.layers()[layer].inputs)
      if (is_source(input)) add_input(input);
  }

  void add_input(int layer) {
    const auto [entry, is_new] = at_.try_emplace(layer, kNoLayer);
    if (!is_new) return;
    const Layer& source = model_.layers()[layer];
    const Input* input = as_input(source);
    entry->second = builder_.add(input ? *input : Input{source.output, true}, std::vector<int>{});
  }

  void add_layer(const Layer& layer, int index) {
    std::vector<int> inputs;
    inputs.reserve(layer.inputs.size());
    for (int input : layer.inputs) inputs.push_back(at_.at(input));
    if (is_commutative(layer.op)) std::sort(inputs.begin(), inputs.end());
    builder_.module(module_base(layer.module));
    at_[index] = builder_.add(layer.op, std::move(inputs));
  }

  const Model& model_;
  std::span<const int> block_;
  ModelBuilder builder_;
  std::unordered_map<int, int> at_;
};

}  // namespace

Model make_fragment(const Model& model, std::span<const int> layers) {
  return FragmentBuilder(model, layers).build();
}

void append_fragment(ModelBuilder& builder, const Model& fragment, int main,
                     const std::string& suffix) {
  std::vector<int> at;
  at.reserve(fragment.layers().size());
  for (const Layer& layer : fragment.layers()) {
    if (at.empty() && main >= 0) {
      at.push_back(main);
      continue;
    }
    std::vector<int> inputs;
    inputs.reserve(layer.inputs.size());
    for (int input : layer.inputs) inputs.push_back(at[input]);
    builder.module(layer.module.empty() ? "" : layer.module + suffix);
    at.push_back(builder.add(layer.op, std::move(inputs)));
  }
  builder.module("");
}

std::string module_base(const std::string& tag) {
  if (tag.empty()) return tag;
  const std::size_t end = tag.find_last_not_of("0123456789._-");
  return end == std::string::npos ? "module" : tag.substr(0, end + 1);
}

}  // namespace ampere
