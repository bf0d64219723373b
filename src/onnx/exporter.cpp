#include "onnx/exporter.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "onnx/writers.h"

namespace ampere::onnx {
namespace {

void write(Exporter&, const Input&) {}  // stands in the graph's own list

}  // namespace

Exporter::Exporter(const Model& model, const Weights& weights)
    : model_(model), weights_(weights), graph_(model.name()) {
  for (const Layer& layer : model.layers()) {
    values_.push_back(graph_.unique_name(layer.name));
    if (layer.shares >= 0) shared_.insert(layer.shares);
  }
  for (std::size_t i = 0; i < model.layers().size(); ++i) {
    layer_ = &model.layers()[i];
    own_ = values_[i];
    const bool is_input = std::holds_alternative<Input>(layer_->op);
    if (is_input) add_input();
    std::visit([&](const auto& op) { write(*this, op); }, layer_->op);
  }
  if (!layer_->per_sample) refuse("its output is the same for every sample, so there is no batch");
  graph_.output(values_.back(), model.output().output.axes());
}

GraphWriter::File Exporter::finish() && { return std::move(graph_).finish(); }

void Exporter::add_input() {
  graph_.input(own_, layer_->output.axes(),
               layer_->output.layout == Layout::tokens ? ElementType::int64 : ElementType::float32);
}

const TensorShape& Exporter::input(std::size_t which) const {
  return model_.layers()[layer_->inputs[which]].output;
}
const std::string& Exporter::value(std::size_t which) const {
  return values_[layer_->inputs[which]];
}
bool Exporter::batched(std::size_t which) const {
  return model_.layers()[layer_->inputs[which]].per_sample;
}

const FloatTensor& Exporter::weight(const std::string& name) const {
  const bool elsewhere = layer_->shares >= 0 && name == "weight";
  const Layer& owner = elsewhere ? model_.layers()[layer_->shares] : *layer_;
  return weights_.at(owner.name + "." + name);
}

bool Exporter::shares_weight() const {
  return layer_->shares >= 0 || shared_.contains(static_cast<int>(layer_ - model_.layers().data()));
}

std::string Exporter::step(std::string_view op, const Names& inputs, const Attributes& attributes) {
  const std::string name = graph_.unique_name(fmt::format("{}/{}", layer_->name, op));
  graph_.node(op, inputs, {name}, attributes);
  return name;
}

void Exporter::give(std::string_view op, const Names& inputs, const Attributes& attributes) {
  graph_.node(op, inputs, {own_}, attributes);
}

std::string Exporter::tensor(const std::string& name) {
  if (name != "weight" || !shares_weight()) return tensor(name, weight(name));
  const int own = static_cast<int>(layer_ - model_.layers().data());
  std::string& once = written_[layer_->shares >= 0 ? layer_->shares : own];
  if (once.empty()) once = tensor(name, weight(name));
  return once;
}

std::string Exporter::tensor(const std::string& name, const FloatTensor& numbers) {
  const std::string unique = graph_.unique_name(layer_->name + "." + name);
  graph_.initializer(unique, numbers);
  return unique;
}

std::string Exporter::tensor(const std::string& name, const Dims& sizes) {
  return tensor(name, FloatTensor{sizes, weight(name).values});
}

std::string Exporter::integers(const Dims& list) {
  const std::string name = graph_.unique_name(layer_->name + "/integers");
  graph_.initializer(name, {static_cast<std::int64_t>(list.size())}, list);
  return name;
}

std::string Exporter::integer(std::int64_t value) {
  const std::string name = graph_.unique_name(layer_->name + "/integer");
  graph_.initializer(name, {}, {value});
  return name;
}

// A constant and no initializer, so that it is not taken for a weight.
std::string Exporter::number(double value) {
  return step("Constant", {}, {tensor_attribute("value", {{}, {static_cast<float>(value)}})});
}

// 0 keeps the batch, whatever it is.
Dims Exporter::reshape_sizes(const Dims& sample) const {
  Dims sizes{0};
  sizes.insert(sizes.end(), sample.begin(), sample.end());
  return sizes;
}

std::string Exporter::reshaped(const std::string& from, const Dims& sample) {
  return step("Reshape", {from, integers(reshape_sizes(sample))});
}

void Exporter::refuse(const std::string& why) const {
  throw Error(ErrorCode::usage, fmt::format("{}: layer '{}' ({}) cannot be written as ONNX: {}",
                                            model_.name(), layer_->name, op_name(layer_->op), why));
}

}  // namespace ampere::onnx
