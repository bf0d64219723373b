#include "lowering/network.h"

#include <fmt/format.h>

#include <cctype>
#include <set>

#include "ampere/error.h"
#include "lowering/layers.h"
#include "lowering/views.h"
#include "model/axes.h"
#include "model/layer_batches.h"

namespace ampere::lowering {
namespace {

// Layer names may contain anything, attributes of a module may not.
std::string attribute_name(const std::string& name, std::set<std::string>& taken) {
  std::string plain;
  for (const char letter : name) {
    const auto code = static_cast<unsigned char>(letter);
    const bool continues = (code & 0xC0U) == 0x80U;  // of a character outside ASCII
    if (!continues) plain += code < 0x80 && std::isalnum(code) ? letter : '_';
  }
  if (plain.empty() || std::isdigit(static_cast<unsigned char>(plain[0]))) plain = "layer_" + plain;
  std::string unique = plain;
  for (int number = 2; !taken.insert(unique).second; ++number)
    unique = fmt::format("{}_{}", plain, number);
  return unique;
}

TensorType channels_last(TensorType type) {
  if (type.sizes.size() != 4 || type.element == ElementType::int64) return type;
  const std::int64_t row = type.sizes[3] * type.sizes[1];
  type.strides = {row * type.sizes[2], 1, row, type.sizes[1]};
  return type;
}

}  // namespace

Network::Network(Eager& eager, const Model& model, const Setup& setup)
    : eager_(eager),
      model_(model),
      setup_(setup),
      training_(setup.phase != Phase::inference),
      weights_(model.layers().size()),
      last_use_(model.layers().size(), -1),
      batches_(layer_batches(model, setup.batch)) {
  name_modules();
  for (int index = 0; index < static_cast<int>(model.layers().size()); ++index) {
    const Layer& layer = model.layers()[index];
    for (const int read : layer.inputs) last_use_[read] = index;
    module_calls_ += modules_in(layer.op);
    eager.recorder.module = modules_in(layer.op) ? eager.recorder.module_of(paths_[index]) : 0;
    make_weights(index);
  }
  eager.recorder.module = 0;
}

void Network::name_modules() {
  std::set<std::string> taken;
  for (const Layer& layer : model_.layers()) {
    const bool named = std::holds_alternative<Input>(layer.op) || modules_in(layer.op) > 0;
    paths_.push_back(named ? attribute_name(layer.name, taken) : "");
  }
}

Tensor Network::make(const Sizes& sizes, ElementType element, bool learned) {
  TensorType type = dense(element, sizes);
  if (setup_.options.channels_last) type = channels_last(type);
  Tensor tensor = eager_.make(type, StorageKind::weight);
  if (learned) eager_.make_leaf(tensor);
  return tensor;
}

void Network::make_weights(int index) {
  const Layer& layer = model_.layers()[index];
  auto& weights = weights_[index];
  if (const auto* input = std::get_if<Input>(&layer.op)) {
    Sizes sizes = layer.output.axes();
    sizes.insert(sizes.begin(), setup_.batch);
    const bool whole = layer.output.layout == Layout::tokens;
    inputs_[index] = make(sizes, whole ? ElementType::int64 : ElementType::fp32, input->boundary);
    inputs_[index].memory->mark(StorageKind::input);
    return;
  }
  if (layer.shares >= 0) weights["weight"] = weights_[layer.shares].at("weight");
  for (const WeightShape& shape : weight_shapes(layer, model_)) {
    if (layer.shares >= 0 && shape.name == "weight") continue;
    Sizes sizes = shape.sizes;
    if (std::holds_alternative<Scale>(layer.op)) {
      sizes.assign(layer.output.axes().size(), 1);
      sizes[channel_axis(layer.output)] = layer.output.channels;
    }
    const bool whole = shape.name == "index";
    weights[shape.name] =
        make(sizes, whole ? ElementType::int64 : ElementType::fp32, shape.learned);
    if (shape.learned) learned_.push_back(weights[shape.name]);
  }
  if (std::holds_alternative<BatchNorm>(layer.op)) {
    weights["num_batches_tracked"] = make({}, ElementType::int64, false);
    if (training_ && setup_.batch * layer.output.positions() == 1)
      throw Error(ErrorCode::usage,
                  fmt::format("{}: layer '{}' would see a single value per channel: use a batch of "
                              "2 or more",
                              model_.name(), layer.name));
  }
}

Tensor Network::read(int layer, std::int64_t batch, const Tensors& outputs) {
  if (batches_[layer] == batch) return outputs[layer];
  Tensor& repeated = repeated_[layer];
  if (!repeated.defined()) {
    Sizes sizes = model_.layers()[layer].output.axes();
    sizes.insert(sizes.begin(), batch);
    eager_.recorder.module = 0;
    repeated = expand(eager_, outputs[layer], sizes);
  }
  return repeated;
}

Tensor Network::run(int index, const Tensors& outputs) {
  const Layer& layer = model_.layers()[index];
  if (inputs_.count(index)) return inputs_.at(index);
  Tensors given;
  for (const int each : layer.inputs) given.push_back(read(each, batches_[index], outputs));
  const bool is_module = modules_in(layer.op) > 0;
  eager_.recorder.module = is_module ? eager_.recorder.module_of(paths_[index]) : 0;
  const bool fused = eager_.dialect.fused_attention && !setup_.options.plain_attention;
  try {
    return call_layer({eager_, model_, layer, given, weights_[index], batches_[index], training_,
                       fused, paths_[index]});
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: layer '{}' ({}): {}", model_.name(), layer.name,
                                          op_name(layer.op), error.what()));
  }
}

// What no later layer reads is let go, as the worker's code does.
Tensor Network::forward() {
  const int count = static_cast<int>(model_.layers().size());
  Tensors outputs(count);
  for (int index = 0; index < count; ++index) {
    outputs[index] = run(index, outputs);
    for (const int read : model_.layers()[index].inputs)
      if (last_use_[read] == index) {
        outputs[read] = {};
        repeated_.erase(read);
      }
  }
  eager_.recorder.module = 0;
  const Tensor result = read(count - 1, setup_.batch, outputs);
  repeated_.clear();
  return result;
}

}  // namespace ampere::lowering
