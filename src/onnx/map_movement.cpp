#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "onnx/fold.h"
#include "onnx/handlers.h"

namespace ampere::onnx {
namespace {

// Where the digits of an axis do not allow the cut, its numbers are first put in a row.
Value reshaped_value(Importer& importer, const Node& node, const Value& value, const Dims& dims) {
  if (const std::optional<View> view = reshaped(value.view, dims)) return {value.layer, *view};
  const std::optional<std::vector<Axis>> axes = sample_axes(value.view);
  if (!axes) throw Unsupported{"reshapes a tensor whose batch is not its first axis"};
  Axis all;
  for (const Axis& axis : *axes) all.insert(all.end(), axis.begin(), axis.end());
  const Value flat = importer.rebased(node, value, {all}, Layout::flat);
  const std::optional<View> view = reshaped(flat.view, dims);
  if (!view)
    throw Unsupported{fmt::format("{} to {} mixes samples of the batch",
                                  fmt::join(dims_of(value.view), "x"), fmt::join(dims, "x"))};
  return {flat.layer, *view};
}

Value permuted_value(const Value& value, const Dims& order) {
  Dims sorted = order, all(value.view.axes.size());
  std::iota(all.begin(), all.end(), 0);
  std::ranges::sort(sorted);
  if (sorted != all) throw Unsupported{"the permutation does not fit the tensor"};
  return {value.layer, permuted(value.view, order)};
}

}  // namespace

void import_identity(Importer& importer, const Node& node) {
  importer.set(node, 0, importer.value(node, 0));
}

void import_cast(Importer& importer, const Node& node) {
  if (importer.is_constant(node, 0)) {  // CastLike
    return importer.set(node, 0, importer.constant(node, 0));
  }
  const Value value = importer.value(node, 0);
  const auto type = static_cast<ElementType>(integer(node, "to", 1));
  const bool is_tokens = importer.shape(value).layout == Layout::tokens;
  if (node.op == "Cast" && is_tokens == is_floating(type))
    throw Unsupported{is_tokens ? "token ids are used as numbers"
                                : "numbers are rounded, which has no gradient"};
  importer.set(node, 0, value);
}

void import_reshape(Importer& importer, const Node& node) {
  const Value value = importer.value(node, 0);
  const Dims asked =
      importer.has(node, 1) ? importer.constant(node, 1).integers() : integers(node, "shape", {});
  importer.set(
      node, 0,
      reshaped_value(importer, node, value, reshape_target(node, dims_of(value.view), asked)));
}

void import_flatten(Importer& importer, const Node& node) {
  const Value value = importer.value(node, 0);
  const Dims dims = dims_of(value.view);
  const std::int64_t given = integer(node, "axis", 1);
  const std::size_t axis = given == static_cast<std::int64_t>(dims.size())
                               ? dims.size()
                               : axis_index(given, dims.size());
  const auto middle = dims.begin() + static_cast<std::ptrdiff_t>(axis);
  importer.set(node, 0,
               reshaped_value(importer, node, value,
                              {element_count(Dims(dims.begin(), middle)),
                               element_count(Dims(middle, dims.end()))}));
}

void import_transpose(Importer& importer, const Node& node) {
  const Value value = importer.value(node, 0);
  Dims reversed(value.view.axes.size());
  std::iota(reversed.rbegin(), reversed.rend(), 0);
  importer.set(node, 0, permuted_value(value, integers(node, "perm", reversed)));
}

void import_squeeze(Importer& importer, const Node& node) {
  Value value = importer.value(node, 0);
  const std::size_t rank = value.view.axes.size();
  std::vector<bool> drop(rank, false);
  const Dims axes = axes_of(importer, node, 1, {});
  for (const std::int64_t axis : axes) drop[axis_index(axis, rank)] = true;
  std::vector<Axis> kept;
  for (std::size_t i = 0; i < rank; ++i) {
    const Axis& axis = value.view.axes[i];
    if (!(drop[i] || (axes.empty() && axis.empty()))) {
      kept.push_back(axis);
    } else if (!axis.empty()) {
      throw Unsupported{is_batch(axis) ? "takes the batch axis away"
                                       : "squeezes an axis that is longer than 1"};
    }
  }
  value.view.axes = std::move(kept);
  importer.set(node, 0, value);
}

void import_unsqueeze(Importer& importer, const Node& node) {
  Value value = importer.value(node, 0);
  const Dims axes = axes_of(importer, node, 1, {});
  const std::size_t rank = value.view.axes.size() + axes.size();
  std::vector<bool> is_new(rank, false);
  for (const std::int64_t axis : axes) is_new[axis_index(axis, rank)] = true;
  std::vector<Axis> result;
  auto next = value.view.axes.begin();
  for (std::size_t i = 0; i < rank; ++i)
    result.push_back(is_new[i] || next == value.view.axes.end() ? Axis{} : *next++);
  if (next != value.view.axes.end()) throw Unsupported{"names an axis twice"};
  value.view.axes = std::move(result);
  importer.set(node, 0, value);
}

// Both are a reshape, a transpose and a reshape back.
void import_depth_to_space(Importer& importer, const Node& node) {
  const Value value = importer.value(node, 0);
  const Dims d = dims_of(value.view);
  const std::int64_t b = integer(node, "blocksize", 0);
  if (d.size() != 4 || b < 1 || b > 1024 || d[1] % (b * b) != 0)
    throw Unsupported{"the block size does not fit"};
  const std::int64_t c = d[1] / (b * b);
  const bool columns_first = text(node, "mode", "DCR") == "CRD";
  const Dims split =
      columns_first ? Dims{d[0], c, b, b, d[2], d[3]} : Dims{d[0], b, b, c, d[2], d[3]};
  const Dims order = columns_first ? Dims{0, 1, 4, 2, 5, 3} : Dims{0, 3, 4, 1, 5, 2};
  const Value moved = permuted_value(reshaped_value(importer, node, value, split), order);
  importer.set(node, 0, reshaped_value(importer, node, moved, {d[0], c, d[2] * b, d[3] * b}));
}

void import_space_to_depth(Importer& importer, const Node& node) {
  const Value value = importer.value(node, 0);
  const Dims d = dims_of(value.view);
  const std::int64_t b = integer(node, "blocksize", 0);
  if (d.size() != 4 || b < 1 || b > 1024 || d[2] % b != 0 || d[3] % b != 0)
    throw Unsupported{"the block size does not fit"};
  const Dims split{d[0], d[1], d[2] / b, b, d[3] / b, b};
  const Value moved =
      permuted_value(reshaped_value(importer, node, value, split), {0, 3, 5, 1, 2, 4});
  importer.set(node, 0,
               reshaped_value(importer, node, moved, {d[0], d[1] * b * b, d[2] / b, d[3] / b}));
}

}  // namespace ampere::onnx
