#include <algorithm>
#include <numeric>

#include "onnx/handlers.h"

namespace ampere::onnx {
namespace {

bool counts_up(const Constant& indices, std::int64_t count) {
  if (!indices.known() || indices.elements() != count) return false;
  const Constant::Numbers& numbers = indices.numbers();
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] != static_cast<double>(i)) return false;
  return true;
}

// Indices repeated for every sample, as they are for one. Unknown ones whose first axis is as long
// as the batch are taken for such.
Constant of_one_sample(const Importer& importer, const Constant& indices) {
  const Dims& dims = indices.dims();
  if (dims.size() < 2 || dims[0] == 1 || dims[0] != importer.batch()) return indices;
  const Constant first = sliced(indices, 0, 0, 1);
  if (indices.known()) {
    const Constant::Numbers &all = indices.numbers(), &own = first.numbers();
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i] != own[i % own.size()]) return indices;
  }
  return first;
}

void check_indices(const Constant& indices, std::int64_t rows) {
  if (!indices.known()) return;
  for (const double each : indices.numbers())
    if (!(each >= -static_cast<double>(rows) && each < static_cast<double>(rows)))
      throw Unsupported{"looks up a row that the table does not have"};
}

// The indices in a row, counted from 0.
Constant listed(const Constant& indices, std::int64_t length) {
  check_indices(indices, length);
  return mapped(reshaped(indices, {indices.elements()}), [length](double each) {
    return each < 0 ? each + static_cast<double>(length) : each;
  });
}

// The axis of the layer that this axis of the value is; none if it is a part of one, or several.
std::optional<int> layer_axis(const Importer& importer, const Value& value, std::size_t axis) {
  const Axis& atoms = value.view.axes[axis];
  if (atoms.size() != 1 || atoms[0].axis == kBatch) return std::nullopt;
  const std::int64_t length = importer.shape(value).axes()[atoms[0].axis];
  return atoms[0].length == length ? std::optional(atoms[0].axis) : std::nullopt;
}

// One axis of the layer for each axis of the value, which may have no batch.
Value with_own_axes(Importer& importer, const Node& node, const Value& value) {
  if (has_batch(value.view)) return importer.settled(node, value);
  const std::size_t rank = value.view.axes.size();
  return importer.rebased(node, value, value.view.axes,
                          rank == 2 ? Layout::sequence : Layout::tensor);
}

}  // namespace

bool looks_up_rows(const Importer& importer, const Node& node) {
  const bool by_tuple = node.op == "GatherND";
  if (!by_tuple && node.op != "Gather") return false;
  if (!importer.is_constant(node, 0) || !importer.is_constant(node, 1)) return false;
  const Constant &table = importer.constant(node, 0), &indices = importer.constant(node, 1);
  if (!table.learned || table.dims().size() != 2 || indices.elements() < 1) return false;
  if (by_tuple && (indices.dims().empty() || indices.dims().back() != 1)) return false;
  if (!by_tuple && integer(node, "axis", 0) != 0) return false;
  return !counts_up(indices, table.dims()[0]);
}

void import_lookup(Importer& importer, const Node& node) {
  const Constant& table = importer.constant(node, 0);
  const std::int64_t rows = table.dims()[0], width = table.dims()[1];
  Constant indices = importer.constant(node, 1);
  if (node.op == "GatherND")
    indices = reshaped(indices, Dims(indices.dims().begin(), indices.dims().end() - 1));
  indices = of_one_sample(importer, indices);
  const std::int64_t count = indices.elements();
  const int layer = importer.emit(node, Parameter{sequence(count, width), true, rows}, {},
                                  {{"value", table}, {"index", listed(indices, rows)}});
  if (!table.name.empty()) importer.draft()[layer].name = table.name;
  View view;  // without a batch: all samples see the same
  view.axes = {count == 1 ? Axis{} : Axis{{0, 1, count}},
               width == 1 ? Axis{} : Axis{{1, 1, width}}};
  Dims dims = indices.dims();
  dims.push_back(width);
  const std::optional<View> split = reshaped(view, dims);
  if (!split) throw Unsupported{"the indices do not fit"};
  importer.set(node, 0, Value{layer, *split});
}

Value picked(Importer& importer, const Node& node, Value value, std::size_t axis,
             Constant indices) {
  if (!layer_axis(importer, value, axis)) value = with_own_axes(importer, node, value);
  const std::optional<int> own = layer_axis(importer, value, axis);
  if (!own) throw Unsupported{"picks elements along the batch, or along one number"};
  const std::int64_t count = indices.elements(), length = length_of(value.view.axes[axis]);
  Gather gather{std::nullopt, count};
  if (*own != channel_axis(importer.shape(value).layout)) gather.axis = *own;
  value.layer = importer.emit(node, gather, {value.layer}, {{"index", listed(indices, length)}});
  value.view.axes[axis].clear();
  if (count > 1) value.view.axes[axis] = {{*own, 1, count}};
  Dims dims = dims_of(value.view);
  const auto place = dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
  dims.insert(place, indices.dims().begin(), indices.dims().end());
  const std::optional<View> view = reshaped(value.view, dims);
  if (!view) throw Unsupported{"the indices do not fit"};
  return {value.layer, *view};
}

}  // namespace ampere::onnx
