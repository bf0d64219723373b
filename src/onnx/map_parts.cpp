#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "model/checked.h"
#include "onnx/fold.h"
#include "onnx/handlers.h"

namespace ampere::onnx {
namespace {

bool leads_batch(const Axis& axis) {
  return std::ranges::any_of(axis, [](const Atom& atom) { return atom.axis == kBatch; });
}

// The axis is the slowest digit, or all, of one axis of the layer.
const Atom* leading_digit(const Importer& importer, const Value& value, std::size_t axis) {
  const Axis& atoms = value.view.axes[axis];
  if (atoms.size() != 1 || atoms[0].axis == kBatch) return nullptr;
  const std::int64_t whole = importer.shape(value).axes()[atoms[0].axis];
  return atoms[0].stride * atoms[0].length == whole ? &atoms[0] : nullptr;
}

View with_axis_removed(View view, std::size_t axis, int removed) {
  view.axes[axis].clear();
  for (Axis& atoms : view.axes)
    for (Atom& atom : atoms)
      if (atom.axis > removed) --atom.axis;
  return view;
}

// What a slice of a whole axis, or of its slowest digit, is called.
Value sliced_digit(Importer& importer, const Node& node, const Value& value, std::size_t axis,
                   const Atom& atom, std::int64_t begin, std::int64_t count, std::int64_t step) {
  const TensorShape& shape = importer.shape(value);
  const std::int64_t first = begin * atom.stride, length = count * atom.stride;
  const bool is_channels = atom.axis == channel_axis(shape.layout);
  if (shape.layout == Layout::sequence && atom.axis == 0 && atom.stride == 1 && count == 1)
    return {importer.emit(node, TokenSelect{first}, {value.layer}),
            with_axis_removed(value.view, axis, 0)};
  Value result = value;
  result.view.axes[axis].clear();
  if (count > 1) result.view.axes[axis] = {{atom.axis, atom.stride, count}};
  const std::int64_t whole = shape.axes()[atom.axis];
  if (is_channels && step == 1 && whole % length == 0 && first % length == 0 &&
      whole / length <= 1024) {
    result.layer = importer.emit(node, Chunk{whole / length, first / length}, {value.layer});
    return result;
  }
  const std::int64_t end = step == 1 ? first + length : first + (count - 1) * step + 1;
  Slice slice{std::nullopt, first, end, step};
  if (!is_channels) slice.axis = atom.axis;
  result.layer = importer.emit(node, slice, {value.layer});
  return result;
}

void import_embedding(Importer& importer, const Node& node) {
  const Constant& weight = importer.constant(node, 0);
  const Value ids = importer.value(node, 1);
  if (weight.dims().size() != 2 || integer(node, "axis", 0) != 0)
    throw Unsupported{"looks rows up in a constant that is not a table"};
  DraftLayer& source = importer.draft()[ids.layer];
  Input* input = std::get_if<Input>(&source.op);
  if (source.is_arrangement || !input || source.shape.layout != Layout::tokens)
    throw Unsupported{"looks up computed indices, which have no gradient"};
  input->shape.channels = std::max(input->shape.channels, weight.dims()[0]);
  source.shape = input->shape;
  Value result{importer.emit(node, Embedding{weight.dims()[1]}, {ids.layer}, {{"weight", weight}}),
               ids.view};
  result.view.axes.push_back({{1, 1, weight.dims()[1]}});
  if (weight.dims()[1] == 1) result.view.axes.back().clear();
  importer.set(node, 0, result);
}

bool is_count_up(const Constant& indices, std::int64_t first) {
  const Constant::Numbers& list = indices.numbers();
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i] != static_cast<double>(first) + static_cast<double>(i)) return false;
  return true;
}

// Indices that follow one another: a slice.
bool is_run(const Constant& indices, std::int64_t length) {
  if (!indices.known() || indices.dims().size() > 1) return false;
  auto first = static_cast<std::int64_t>(indices.numbers()[0]);
  if (first < 0) first += length;
  if (first < 0 || first + indices.elements() > length) return false;
  return indices.elements() == 1 || is_count_up(indices, first);
}

}  // namespace

Value repeated(Importer& importer, const Node& node, const Value& value, const Dims& whole) {
  const Value settled = importer.settled(node, value, Layout::tensor);
  Dims sample(whole.begin() + 1, whole.end());
  const Axis& first = value.view.axes[0];  // the batch, or batch × windows
  if (first.size() > 1)
    sample.insert(sample.begin(), length_of(Axis(first.begin() + 1, first.end())));
  const int layer = importer.emit(node, Expand{tensor(sample)}, {settled.layer});
  return importer.native_like(layer, value);
}

namespace {

// One layout that all have, else the one their number of axes suggests.
Layout common_layout(Importer& importer, const std::vector<Value>& values) {
  for (const Value& value : values)
    if (importer.native(value.layer).view == value.view) return importer.shape(value).layout;
  const std::size_t rank = values[0].view.axes.size() - 1;
  return rank == 1 ? Layout::flat : rank == 2 ? Layout::sequence : Layout::tensor;
}

// Whether the values lie in their layers alike, so that the layers themselves can be joined.
bool alike(const Importer& importer, const std::vector<Value>& values, std::size_t axis) {
  const Axis& first = values[0].view.axes[axis];
  if (first.size() != 1 || first[0].axis == kBatch) return false;
  for (const Value& value : values) {
    const Axis& atoms = value.view.axes[axis];
    const TensorShape& shape = importer.shape(value);
    if (shape.layout != importer.shape(values[0]).layout || atoms.size() != 1 ||
        atoms[0].axis != first[0].axis || atoms[0].stride != 1 ||
        atoms[0].length != shape.axes()[atoms[0].axis])
      return false;
    View same = value.view;
    same.axes[axis] = first;
    if (same != values[0].view) return false;
  }
  return true;
}

Value joined_values(Importer& importer, const Node& node, std::vector<Value> values,
                    std::size_t axis) {
  if (leads_batch(values[0].view.axes[axis])) throw Unsupported{"joins along the batch"};
  const bool in_place = alike(importer, values, axis);
  const Value like = values[0];
  int layer_axis = in_place ? values[0].view.axes[axis][0].axis : static_cast<int>(axis) - 1;
  if (!in_place) {
    const Layout layout = common_layout(importer, values);
    for (Value& value : values) value = importer.settled(node, value, layout);
  }
  std::vector<int> layers;
  std::int64_t length = 0;
  for (const Value& value : values) {
    layers.push_back(value.layer);
    length += importer.shape(value).axes().at(layer_axis);
  }
  Concat op;
  if (layer_axis != channel_axis(importer.shape(values[0]).layout)) op.axis = layer_axis;
  const int layer = importer.emit(node, op, layers);
  if (!in_place) return importer.native_like(layer, like);
  Value result{layer, values[0].view};
  result.view.axes[axis] = {{layer_axis, 1, length}};
  return result;
}

// A constant of the file without its batch axis, which holds copies.
Constant without_batch(Importer& importer, const Constant& constant) {
  const Dims& dims = constant.dims();
  if (dims.empty() || (dims[0] != 1 && dims[0] != importer.batch()))
    throw Unsupported{"joins a constant that has no batch axis"};
  return reshaped(sliced(constant, 0, 0, 1), Dims(dims.begin() + 1, dims.end()));
}

// By so many numbers before and after each axis. Of an image or a line the axes after the channels
// are padded, of anything else those of a tensor: images may have their channels last.
Value padded(Importer& importer, const Node& node, const Value& given, const Dims& before,
             const Dims& after, double fill) {
  const std::size_t rank = given.view.axes.size();
  if (before[0] + after[0] != 0) throw Unsupported{"pads the batch"};
  const bool picture = (rank == 3 || rank == 4) && before[1] + after[1] == 0;
  const Layout layout = !picture ? Layout::tensor : rank == 4 ? Layout::image : Layout::line;
  const Value value = importer.settled(node, given, layout);
  const auto along_extent = [&](const Dims& amounts) {
    Dims result(amounts.begin() + (picture ? 2 : 1), amounts.end());
    const std::size_t missing = importer.shape(value).extent.size() - result.size();
    result.insert(result.begin(), missing, 0);  // windows, which the batch leads
    return result;
  };
  const Pad pad{along_extent(before), along_extent(after), fill};
  return importer.native_like(importer.emit(node, pad, {value.layer}), given);
}

bool is_class_token(Importer& importer, const Node& node, std::size_t axis) {
  if (node.inputs.size() != 2 || axis != 1 || !importer.is_constant(node, 0)) return false;
  const Dims dims = importer.dims(node, 0);
  return dims.size() == 3 && dims[1] == 1;
}

}  // namespace

Value sliced(Importer& importer, const Node& node, const Value& value, std::size_t axis,
             std::int64_t begin, std::int64_t count, std::int64_t step) {
  const std::int64_t length = length_of(value.view.axes[axis]);
  if (count == length && step == 1) return value;
  if (count < 1) throw Unsupported{"leaves nothing of an axis"};
  if (step < 1) throw Unsupported{"reverses an axis"};
  if (leads_batch(value.view.axes[axis])) throw Unsupported{"takes a part of the batch"};
  const Atom* digit = leading_digit(importer, value, axis);
  if (digit && (step == 1 || digit->stride == 1))
    return sliced_digit(importer, node, value, axis, Atom(*digit), begin, count, step);
  const Value settled = importer.settled(node, value);
  const Atom* whole = leading_digit(importer, settled, axis);
  if (!whole) throw Unsupported{"takes a part of an axis that is mixed with others"};
  return sliced_digit(importer, node, settled, axis, Atom(*whole), begin, count, step);
}

void import_slice(Importer& importer, const Node& node) {
  Value value = importer.value(node, 0);
  for (const SlicePart& part : slice_parts(importer, node, dims_of(value.view)))
    value = sliced(importer, node, value, part.axis, part.begin, part.count, part.step);
  importer.set(node, 0, value);
}

void import_split(Importer& importer, const Node& node) {
  const Value value = importer.value(node, 0);
  const std::size_t axis = axis_index(integer(node, "axis", 0), value.view.axes.size());
  std::int64_t begin = 0;
  std::size_t output = 0;
  for (const std::int64_t length :
       split_lengths(importer, node, length_of(value.view.axes[axis]))) {
    importer.set(node, output++, sliced(importer, node, value, axis, begin, length));
    begin += length;
  }
}

void import_split_to_sequence(Importer& importer, const Node& node) {
  const Value value = importer.value(node, 0);
  const std::size_t axis = axis_index(integer(node, "axis", 0), value.view.axes.size());
  const std::int64_t length = length_of(value.view.axes[axis]);
  if (!importer.has(node, 1)) throw Unsupported{"splits into single rows"};
  Dims lengths = importer.constant(node, 1).integers();
  if (importer.constant(node, 1).dims().empty()) {
    const std::int64_t share = lengths.at(0);
    if (share < 1 || length / share > 1024) throw Unsupported{"splits into too many parts"};
    lengths.assign(static_cast<std::size_t>((length + share - 1) / share), share);
    lengths.back() = length - share * (static_cast<std::int64_t>(lengths.size()) - 1);
  }
  std::int64_t begin = 0;
  std::vector<Value> parts;
  for (const std::int64_t part : lengths) {
    if (part < 1 || part > length - begin) throw Unsupported{"the parts do not fit"};
    parts.push_back(sliced(importer, node, value, axis, begin, part));
    begin += part;
  }
  if (parts.empty()) throw Unsupported{"splits into nothing"};
  importer.set(node, 0, parts[0]);
  importer.list(node.outputs.at(0)) = std::move(parts);
}

void import_sequence_at(Importer& importer, const Node& node) {
  const std::vector<Value>& list = importer.list(node.inputs.at(0));
  const auto size = static_cast<std::int64_t>(list.size());
  std::int64_t index = importer.constant(node, 1).integers().at(0);
  if (index < 0) index += size;
  if (index < 0 || index >= size) throw Unsupported{"picks a tensor that is not in the list"};
  importer.set(node, 0, list[index]);
}

void import_gather(Importer& importer, const Node& node) {
  if (importer.is_constant(node, 0)) return import_embedding(importer, node);
  Value value = importer.value(node, 0);
  const Constant& indices = importer.constant(node, 1);
  const std::size_t axis = axis_index(integer(node, "axis", 0), value.view.axes.size());
  const std::int64_t length = length_of(value.view.axes[axis]);
  if (indices.elements() == length && (!indices.known() || is_count_up(indices, 0))) {
    // All of the axis in other dims: how exporters write a stride that changes nothing. Indices
    // that are not in the file are taken to be such.
    Dims dims = dims_of(value.view);
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), indices.dims().begin(),
                indices.dims().end());
    if (const std::optional<View> view = reshaped(value.view, dims))
      return importer.set(node, 0, Value{value.layer, *view});
  }
  if (indices.elements() < 1) throw Unsupported{"picks nothing"};
  if (!is_run(indices, length))
    return importer.set(node, 0, picked(importer, node, value, axis, indices));
  const auto first = static_cast<std::int64_t>(indices.numbers()[0]);
  value =
      sliced(importer, node, value, axis, first < 0 ? first + length : first, indices.elements());
  if (indices.dims().empty()) {
    if (!value.view.axes[axis].empty()) throw Unsupported{"takes one sample of the batch"};
    value.view.axes.erase(value.view.axes.begin() + static_cast<std::ptrdiff_t>(axis));
  }
  importer.set(node, 0, value);
}

// Rows of a table that is the same for all samples; exporters pick them by tuples of one index.
void import_gather_nd(Importer& importer, const Node& node) {
  const Value value = importer.value(node, 0);
  const Constant& indices = importer.constant(node, 1);
  const bool is_table = !has_batch(value.view) && integer(node, "batch_dims", 0) == 0;
  if (!is_table || indices.dims().empty() || indices.dims().back() != 1)
    throw Unsupported{"picks elements by tuples of indices"};
  const Constant list = reshaped(indices, Dims(indices.dims().begin(), indices.dims().end() - 1));
  importer.set(node, 0, picked(importer, node, value, 0, list));
}

void import_concat(Importer& importer, const Node& node) {
  const std::size_t rank = importer.dims(node, 0).size();
  const std::size_t axis = axis_index(integer(node, "axis", 1), rank);
  if (is_class_token(importer, node, axis)) {
    const Value rest = importer.settled(node, importer.value(node, 1), Layout::sequence);
    const Constant token = without_batch(importer, importer.constant(node, 0));
    const int layer = importer.emit(node, ClassToken{}, {rest.layer}, {{"token", token}});
    return importer.set(node, 0, importer.native(layer));
  }
  std::vector<Value> values;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (importer.dims(node, i).size() != rank) throw Unsupported{"joins tensors of unequal rank"};
    if (!importer.is_constant(node, i)) {
      values.push_back(importer.value(node, i));
      continue;
    }
    const Constant sample = without_batch(importer, importer.constant(node, i));
    values.push_back(importer.native(importer.parameter(node, sample, tensor(sample.dims()))));
  }
  if (values.size() == 1) return importer.set(node, 0, values[0]);
  importer.set(node, 0, joined_values(importer, node, std::move(values), axis));
}

void import_expand(Importer& importer, const Node& node) {
  Value value = importer.value(node, 0);
  Dims own = dims_of(value.view);
  const Dims whole = broadcast(own, importer.constant(node, 1).integers());
  // What is the same for all samples, once for each of them.
  if (!has_batch(value.view) && whole.size() == own.size() && own[0] == 1 &&
      whole[0] == importer.batch()) {
    value.view.axes[0] = {{kBatch, 1, whole[0]}};
    own[0] = whole[0];
  }
  if (whole == own) return importer.set(node, 0, value);
  if (whole.size() != own.size()) throw Unsupported{"repeats a tensor along a new axis"};
  importer.set(node, 0, repeated(importer, node, value, whole));
}

void import_pad(Importer& importer, const Node& node) {
  Value value = importer.value(node, 0);
  const std::size_t rank = value.view.axes.size();
  Dims pads =
      importer.has(node, 1) ? importer.constant(node, 1).integers() : integers(node, "pads", {});
  Dims all(rank);
  std::iota(all.begin(), all.end(), 0);
  const Dims axes = importer.has(node, 3) ? importer.constant(node, 3).integers() : all;
  if (pads.size() != 2 * axes.size()) throw Unsupported{"the padding does not fit"};
  for (const std::int64_t pad : pads)
    if (pad < -kMaxExtent || pad > kMaxExtent) throw Unsupported{fmt::format("pads by {}", pad)};
  Dims before(rank, 0), after(rank, 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    before[axis_index(axes[i], rank)] = pads[i];
    after[axis_index(axes[i], rank)] = pads[i + axes.size()];
  }
  const Dims none(rank, 0);
  if (before == none && after == none) return importer.set(node, 0, value);
  if (text(node, "mode", "constant") != "constant")
    throw Unsupported{
        fmt::format("pads by '{}'; only constants are known", text(node, "mode", ""))};
  for (std::size_t i = 0; i < rank; ++i) {  // negative padding cuts
    const std::int64_t length = length_of(value.view.axes[i]);
    const std::int64_t cut = std::max<std::int64_t>(-before[i], 0);
    const std::int64_t rest = length - cut - std::max<std::int64_t>(-after[i], 0);
    value = sliced(importer, node, value, i, cut, rest);
    before[i] = std::max<std::int64_t>(before[i], 0);
    after[i] = std::max<std::int64_t>(after[i], 0);
  }
  if (before == none && after == none) return importer.set(node, 0, value);
  const double fill = importer.has(node, 2)           ? importer.constant(node, 2).scalar()
                      : find_attribute(node, "value") ? real(node, "value", 0)
                                                      : 0;
  importer.set(node, 0, padded(importer, node, value, before, after, fill));
}

}  // namespace ampere::onnx
