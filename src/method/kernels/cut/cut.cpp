#include <algorithm>

#include "block/fragment.h"
#include "method/kernels/cut/describe.h"
#include "method/kernels/cut/operators.h"
#include "method/kernels/cut/squeeze_excite.h"
#include "method/kernels/kernel.h"
#include "model/checked.h"

namespace ampere {
namespace {

// A kernel before it has a name.
struct Piece {
  std::vector<int> layers;
  bool squeeze_excite = false;
};

class Cutter {
 public:
  Cutter(const Model& model, const FusionRules& rules)
      : model_(model),
        rules_(rules),
        readers_(readers_of(model)),
        taken_(model.layers().size(), false) {
    names_.reserve(model.layers().size());
    for (const Layer& layer : model.layers()) names_.push_back(operator_name(layer, model));
  }

  std::vector<Piece> cut() {
    if (rules_.squeeze_excite) take_squeeze_excites();
    for (int i = 0; i < size(); ++i) {
      if (taken_[i] || is_free(op(i))) continue;
      take({std::holds_alternative<Chunk>(op(i)) ? shares_with(i) : chain_from(i), false});
    }
    std::ranges::sort(pieces_, {}, [](const Piece& piece) { return piece.layers.front(); });
    return std::move(pieces_);
  }

 private:
  int size() const { return static_cast<int>(model_.layers().size()); }
  const Op& op(int layer) const { return model_.layers()[layer].op; }

  void take(Piece piece) {
    for (const int layer : piece.layers) taken_[layer] = true;
    pieces_.push_back(std::move(piece));
  }

  void take_squeeze_excites() {
    for (int i = 0; i < size(); ++i) {
      if (!std::holds_alternative<Multiply>(op(i))) continue;
      std::vector<int> layers = match_squeeze_excite(model_, i, readers_);
      const auto is_taken = [&](int layer) { return taken_[layer]; };
      if (!layers.empty() && std::ranges::none_of(layers, is_taken))
        take({std::move(layers), true});
    }
  }

  // All equal shares of one tensor are one split.
  std::vector<int> shares_with(int first) const {
    const auto parts = std::get<Chunk>(op(first)).parts;
    std::vector<int> layers;
    for (const int reader : readers_[model_.layers()[first].inputs.front()]) {
      const auto* chunk = std::get_if<Chunk>(&op(reader));
      if (chunk != nullptr && chunk->parts == parts) layers.push_back(reader);
    }
    return layers;
  }

  // Each next one reads the last, and nobody else does: so nothing outside needs what is inside,
  // and whatever else the kernel reads does not wait for it.
  std::vector<int> chain_from(int first) const {
    std::vector<int> layers{first};
    while (readers_[layers.back()].size() == 1) {
      const int next = readers_[layers.back()].front();
      if (taken_[next] || !rules_.fuses(names_[layers.back()], names_[next])) break;
      layers.push_back(next);
    }
    return layers;
  }

  const Model& model_;
  const FusionRules& rules_;
  std::vector<std::vector<int>> readers_;
  std::vector<std::string> names_;
  std::vector<bool> taken_;
  std::vector<Piece> pieces_;
};

// The parameters that the layers read come along: they are no data that a rig could make up.
std::vector<int> with_parameters(const Model& model, const std::vector<int>& layers) {
  std::vector<int> all = layers;
  for (const int layer : layers)
    for (const int input : model.layers()[layer].inputs)
      if (std::holds_alternative<Parameter>(model.layers()[input].op)) all.push_back(input);
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// Raw data and what a layer before it gives cost the same to read, so both are inputs alike.
Model with_equal_inputs(const Model& fragment, const std::string& name) {
  ModelBuilder builder(name);
  for (const Layer& layer : fragment.layers()) {
    Op op = layer.op;
    if (auto* input = std::get_if<Input>(&op))
      input->boundary = input->shape.layout != Layout::tokens;
    builder.add(std::move(op), layer.inputs);
  }
  return std::move(builder).build();
}

Kernel make_kernel(const Model& model, Piece piece) {
  const Model fragment = make_fragment(model, with_parameters(model, piece.layers));
  KernelName name =
      piece.squeeze_excite ? describe_squeeze_excite(fragment) : describe_chain(fragment);
  Kernel kernel{std::move(name.type), std::move(name.config), 0, 0, std::move(piece.layers), {}};
  for (const int layer : kernel.layers) {
    const Counts counts = count(model.layers()[layer], model, 1);
    kernel.flops = sum({kernel.flops, counts.forward_flops});
    kernel.parameters = sum({kernel.parameters, counts.parameters});
  }
  kernel.alone = with_equal_inputs(fragment, kernel.type);
  return kernel;
}

}  // namespace

std::vector<Kernel> kernels_of(const Model& model, const FusionRules& rules) {
  std::vector<Kernel> kernels;
  for (Piece& piece : Cutter(model, rules).cut())
    kernels.push_back(make_kernel(model, std::move(piece)));
  return kernels;
}

Model kernel_model(const Kernel& kernel) { return kernel.alone; }

std::vector<Kernel> distinct_kernels(std::span<const Model> networks, const FusionRules& rules) {
  std::vector<Kernel> distinct;
  std::set<std::pair<std::string, KernelConfig>> seen;
  for (const Model& network : networks)
    for (Kernel& kernel : kernels_of(network, rules))
      if (seen.insert({kernel.type, kernel.config}).second) distinct.push_back(std::move(kernel));
  return distinct;
}

}  // namespace ampere
