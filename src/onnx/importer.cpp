#include "onnx/importer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "ampere/error.h"
#include "model/shapes.h"
#include "onnx/fold.h"
#include "onnx/handlers.h"

namespace ampere::onnx {
namespace {

constexpr std::int64_t kMaxForEachSample = 1 << 22;  // numbers

// Reads something that an earlier problem left undefined: not a problem of its own.
struct Skipped {};

TensorShape shape_of(Layout layout, const Dims& axes) {
  switch (layout) {
    case Layout::flat:
      return flat(axes.at(0));
    case Layout::sequence:
      return sequence(axes.at(0), axes.at(1));
    case Layout::line:
      return line(axes.at(0), axes.at(1));
    case Layout::image:
      return image(axes.at(0), axes.at(1), axes.at(2));
    case Layout::tokens:
    case Layout::tensor:
      break;
  }
  return tensor(axes);
}

// Each atom of the old axes as one of the new.
std::map<Atom, Atom> atom_moves(const std::vector<Axis>& axes) {
  std::map<Atom, Atom> moves;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    std::int64_t stride = 1;
    for (std::size_t j = axes[i].size(); j-- > 0;) {
      const Atom& atom = axes[i][j];
      moves[atom] = {static_cast<int>(i), stride, atom.length};
      stride *= atom.length;
    }
  }
  return moves;
}

View moved(const View& view, const std::map<Atom, Atom>& moves) {
  View result;
  for (const Axis& axis : view.axes) {
    Axis next;
    for (const Atom& atom : axis) next.push_back(atom.axis == kBatch ? atom : moves.at(atom));
    result.axes.push_back(simplified(next));
  }
  return result;
}

std::string readable(std::string_view name) {
  std::string text(name.substr(0, 200));
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
  return text;
}

}  // namespace

const Importer::Entry* Importer::find(const Node& node, std::size_t input) const {
  if (input >= node.inputs.size() || node.inputs[input].empty()) return nullptr;
  const auto found = entries_.find(node.inputs[input]);
  if (found == entries_.end())
    throw Unsupported{fmt::format("reads '{}', which nothing gives", readable(node.inputs[input]))};
  return &found->second;
}

bool Importer::has(const Node& node, std::size_t input) const {
  return input < node.inputs.size() && !node.inputs[input].empty();
}

bool Importer::is_constant(const Node& node, std::size_t input) const {
  const Entry* entry = find(node, input);
  return entry && std::holds_alternative<Constant>(*entry);
}

const Constant& Importer::constant(const Node& node, std::size_t input) const {
  const Entry* entry = find(node, input);
  if (!entry) throw Unsupported{fmt::format("input {} is missing", input + 1)};
  if (std::holds_alternative<std::monostate>(*entry)) throw Skipped{};
  const Constant* constant = std::get_if<Constant>(entry);
  if (!constant)
    throw Unsupported{
        fmt::format("input {} ('{}') must be a constant", input + 1, readable(node.inputs[input]))};
  return *constant;
}

Value Importer::value(const Node& node, std::size_t input) {
  const Entry* entry = find(node, input);
  if (!entry) throw Unsupported{fmt::format("input {} is missing", input + 1)};
  if (const Value* value = std::get_if<Value>(entry)) return *value;
  if (std::holds_alternative<std::monostate>(*entry)) throw Skipped{};
  if (std::holds_alternative<Condition>(*entry))
    throw Unsupported{"computes with a comparison, which has no gradient"};
  if (std::holds_alternative<Noise>(*entry))
    throw Unsupported{"computes with random numbers in a way that is not dropout"};
  throw Unsupported{fmt::format("input {} ('{}') does not depend on the data", input + 1,
                                readable(node.inputs[input]))};
}

Dims Importer::dims(const Node& node, std::size_t input) const {
  const Entry* entry = find(node, input);
  if (!entry) throw Unsupported{fmt::format("input {} is missing", input + 1)};
  if (const Constant* constant = std::get_if<Constant>(entry)) return constant->dims();
  if (const Value* value = std::get_if<Value>(entry)) return dims_of(value->view);
  if (const Condition* condition = std::get_if<Condition>(entry))
    return dims_of(condition->of.view);
  if (const Noise* noise = std::get_if<Noise>(entry)) return noise->dims;
  throw Skipped{};
}

void Importer::set(const Node& node, std::size_t output, Value value) {
  if (output < node.outputs.size() && !node.outputs[output].empty())
    set(node.outputs[output], std::move(value));
}

void Importer::set(const Node& node, std::size_t output, Constant constant) {
  // A mask for each of a thousand made-up samples would fill the memory; one sample is enough.
  if (batch_is_made_up_ && batch_ > 1 && !constant.learned &&
      std::ranges::find(constant.dims(), batch_) != constant.dims().end() &&
      constant.elements() > kMaxForEachSample)
    throw Unsupported{"a constant for every sample is too large"};
  if (output < node.outputs.size() && !node.outputs[output].empty())
    set(node.outputs[output], std::move(constant));
}

void Importer::set(const Node& node, std::size_t output, Condition condition) {
  if (output < node.outputs.size()) entries_[node.outputs[output]] = std::move(condition);
}

const Condition* Importer::condition(const Node& node, std::size_t input) const {
  const Entry* entry = find(node, input);
  return entry ? std::get_if<Condition>(entry) : nullptr;
}

void Importer::set(const Node& node, std::size_t output, Noise noise) {
  if (output < node.outputs.size()) entries_[node.outputs[output]] = std::move(noise);
}

const Noise* Importer::noise(const Node& node, std::size_t input) const {
  const Entry* entry = find(node, input);
  return entry ? std::get_if<Noise>(entry) : nullptr;
}

std::string Importer::layer_name(const Node& node, const std::map<std::string, Constant>& weights) {
  // The name in the source code, from the weight's; exporters let equal weights share one, and only
  // the first layer is then called so.
  const auto weight = weights.find("weight");
  if (weight != weights.end() && weight->second.name.ends_with(".weight") &&
      named_.insert(weight->second.name).second)
    return readable(weight->second.name.substr(0, weight->second.name.size() - 7));
  if (!node.name.empty()) return readable(node.name);
  return node.outputs.empty() ? "" : readable(node.outputs[0]);
}

int Importer::emit(const Node& node, Op op, std::vector<int> inputs,
                   std::map<std::string, Constant> weights) {
  DraftLayer layer{std::move(op),
                   std::move(inputs),
                   layer_name(node, weights),
                   readable(node.op),
                   {},
                   std::move(weights),
                   {},
                   false,
                   ""};
  std::vector<TensorShape> shapes;
  for (const int input : layer.inputs) shapes.push_back(draft_[input].shape);
  try {
    layer.shape = infer_shape(layer.op, shapes);
  } catch (const Error& error) {
    throw Unsupported{error.what()};
  }
  draft_.layers.push_back(std::move(layer));
  return static_cast<int>(draft_.layers.size()) - 1;
}

Value Importer::native(int layer) const {
  return {layer, native_view(draft_[layer].shape, batch_)};
}

Value Importer::native_like(int layer, const Value& like) const {
  Value result = native(layer);
  if (like.view.axes.empty() || like.view.axes[0].size() < 2 || result.view.axes.size() < 2)
    return result;
  Axis merged = result.view.axes[0];
  merged.insert(merged.end(), result.view.axes[1].begin(), result.view.axes[1].end());
  result.view.axes.erase(result.view.axes.begin());
  result.view.axes[0] = std::move(merged);
  return result;
}

int Importer::parameter(const Node& node, const Constant& constant, const TensorShape& shape) {
  const bool mask = constant.known() && std::ranges::any_of(constant.numbers(), [](double number) {
                      return number < -1e9 || number > 1e9;
                    });
  const int layer = emit(node, Parameter{shape, constant.learned && !mask}, {},
                         {{"value", reshaped(constant, shape.axes())}});
  if (!constant.name.empty()) draft_[layer].name = readable(constant.name);
  return layer;
}

Value Importer::rebased(const Node& node, const Value& value, std::vector<Axis> axes,
                        Layout layout) {
  const std::map<Atom, Atom> moves = atom_moves(axes);
  const View view = moved(value.view, moves);
  Dims lengths;
  for (Axis& axis : axes) {
    lengths.push_back(length_of(axis));
    axis = simplified(axis);
  }
  const TensorShape shape = shape_of(layout, lengths);
  const View native = native_view(draft_[value.layer].shape, batch_);
  if (shape == draft_[value.layer].shape &&
      std::equal(axes.begin(), axes.end(), native.axes.begin() + 1, native.axes.end()))
    return {value.layer, view};
  // The layout is told apart by an axis that cannot be.
  std::vector<Axis> key = axes;
  key.push_back({{-2, static_cast<std::int64_t>(layout), 1}});
  for (const std::int64_t length : lengths) key.push_back({{-3, length, 1}});
  const auto [found, is_new] = arrangements_.try_emplace({value.layer, std::move(key)},
                                                         static_cast<int>(draft_.layers.size()));
  if (is_new) {
    DraftLayer layer;
    layer.inputs = {value.layer};
    layer.name = node.name.empty() ? readable(node.outputs.empty() ? "" : node.outputs[0])
                                   : readable(node.name);
    layer.node_op = readable(node.op);
    layer.shape = shape;
    layer.arranged = std::move(axes);
    layer.is_arrangement = true;
    draft_.layers.push_back(std::move(layer));
  }
  return {found->second, view};
}

Value Importer::settled(const Node& node, const Value& value, Layout layout) {
  std::optional<std::vector<Axis>> axes = sample_axes(value.view);
  if (!axes) throw Unsupported{"the batch is not the first axis of what it reads"};
  return rebased(node, value, std::move(*axes), layout);
}

Value Importer::settled(const Node& node, const Value& value) {
  const TensorShape& own = shape(value);
  std::optional<std::vector<Axis>> axes = sample_axes(value.view);
  if (!axes) throw Unsupported{"the batch is not the first axis of what it reads"};
  const std::size_t rank = axes->size();
  if (own.axes().size() == rank && native_view(own, batch_) == value.view) return value;
  // It stays an image if its channels come first. If they come after the positions, it becomes a
  // tensor, and its channels are one of the axes.
  const bool is_image =
      rank == 3 && own.layout == Layout::image && (*axes)[0].empty() == (own.channels == 1) &&
      std::ranges::all_of(
          (*axes)[0], [](const Atom& atom) { return atom.axis == channel_axis(Layout::image); });
  const Layout layout = rank == 1   ? Layout::flat
                        : rank == 2 ? Layout::sequence
                        : is_image  ? Layout::image
                                    : Layout::tensor;
  return rebased(node, value, std::move(*axes), layout);
}

void Importer::note(std::string text) {
  if (std::ranges::find(notes_, text) == notes_.end()) notes_.push_back(std::move(text));
}

const Value* Importer::find_value(std::string_view name) const {
  const auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : std::get_if<Value>(&found->second);
}

bool Importer::all_constant(const Node& node) const {
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    if (has(node, i) && !is_constant(node, i)) return false;
  return true;
}

bool Importer::reads_noise(const Node& node) const {
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    if (noise(node, i)) return true;
  return false;
}

bool Importer::all_known(const Node& node) const {
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const Entry* entry = find(node, i);
    if (entry && std::holds_alternative<std::monostate>(*entry)) return false;
  }
  return true;
}

void Importer::import_node(const Node& node) {
  if (!all_known(node)) throw Skipped{};
  if (reads_shapes_only(node.op)) return fold(*this, node);
  if (makes_noise(*this, node) || reads_noise(node)) return import_noise(*this, node);
  if (looks_up_rows(*this, node)) return import_lookup(*this, node);
  if (all_constant(node) && !is_trained(*this, node)) return fold(*this, node);
  find_handler(node.op)(*this, node);
}

void Importer::run(const std::vector<const Node*>& nodes) {
  for (const Node* node : nodes) {
    for (const std::string_view output : node->outputs) entries_[output] = std::monostate{};
    const std::string refused = refusal(*node);
    try {
      if (!refused.empty()) throw Unsupported{refused};
      import_node(*node);
    } catch (const Skipped&) {
    } catch (const Unsupported& problem) {
      const std::string_view name =
          !node->name.empty() || node->outputs.empty() ? node->name : node->outputs[0];
      problems_.push_back({readable(name), readable(node->op), problem.reason});
    }
  }
}

const Attribute* find_attribute(const Node& node, std::string_view name) {
  const auto found = std::ranges::find(node.attributes, name, &Attribute::name);
  return found == node.attributes.end() ? nullptr : &*found;
}

std::int64_t integer(const Node& node, std::string_view name, std::int64_t otherwise) {
  const Attribute* attribute = find_attribute(node, name);
  return attribute ? attribute->integer : otherwise;
}

double real(const Node& node, std::string_view name, double otherwise) {
  const Attribute* attribute = find_attribute(node, name);
  return attribute ? decimal(attribute->real) : otherwise;
}

std::string_view text(const Node& node, std::string_view name, std::string_view otherwise) {
  const Attribute* attribute = find_attribute(node, name);
  return attribute ? attribute->text : otherwise;
}

Dims integers(const Node& node, std::string_view name, Dims otherwise) {
  const Attribute* attribute = find_attribute(node, name);
  return attribute ? attribute->integers : otherwise;
}

std::size_t axis_index(std::int64_t axis, std::size_t rank) {
  const std::int64_t index = axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
  if (index < 0 || index >= static_cast<std::int64_t>(rank))
    throw Unsupported{fmt::format("axis {} of a tensor with {} axes", axis, rank)};
  return static_cast<std::size_t>(index);
}

double decimal(double number) {
  const std::string shortest = fmt::format("{}", static_cast<float>(number));
  double result = number;
  std::from_chars(shortest.data(), shortest.data() + shortest.size(), result);
  return result;
}

}  // namespace ampere::onnx
