#include "onnx/fold.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "onnx/fold_arithmetic.h"
#include "onnx/fold_tables.h"

namespace ampere::onnx {
namespace {

Constant of_integers(const Dims& list) {
  return Constant::of({static_cast<std::int64_t>(list.size())}, ElementType::int64,
                      Constant::Numbers(list.begin(), list.end()));
}

void fold_constant(Importer& importer, const Node& node) {
  if (const Attribute* tensor = find_attribute(node, "value"); tensor && tensor->tensor) {
    Constant constant = read_tensor(*tensor->tensor, importer.folder());
    constant.learned = false;
    constant.name.clear();
    return importer.set(node, 0, std::move(constant));
  }
  if (const Attribute* one = find_attribute(node, "value_float"))
    return importer.set(node, 0, Constant::of({}, ElementType::float32, {one->real}));
  if (const Attribute* one = find_attribute(node, "value_int"))
    return importer.set(node, 0,
                        Constant::of({}, ElementType::int64, {static_cast<double>(one->integer)}));
  if (const Attribute* list = find_attribute(node, "value_ints"))
    return importer.set(node, 0, of_integers(list->integers));
  if (const Attribute* list = find_attribute(node, "value_floats"))
    return importer.set(
        node, 0,
        Constant::of({static_cast<std::int64_t>(list->reals.size())}, ElementType::float32,
                     Constant::Numbers(list->reals.begin(), list->reals.end())));
  throw Unsupported{"a constant without a numeric value"};
}

void fold_shape(Importer& importer, const Node& node) {
  const Dims dims = importer.dims(node, 0);
  const auto rank = static_cast<std::int64_t>(dims.size());
  const auto bound = [&](std::int64_t at) {
    return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank);
  };
  const std::int64_t begin = bound(integer(node, "start", 0));
  const std::int64_t end = std::max(begin, bound(integer(node, "end", rank)));
  importer.set(node, 0, of_integers(Dims(dims.begin() + begin, dims.begin() + end)));
}

void fold_size(Importer& importer, const Node& node) {
  importer.set(node, 0,
               Constant::of({}, ElementType::int64,
                            {static_cast<double>(element_count(importer.dims(node, 0)))}));
}

void fold_identity(Importer& importer, const Node& node) {
  importer.set(node, 0, importer.constant(node, 0));
}

void fold_reshape(Importer& importer, const Node& node) {
  const Constant& data = importer.constant(node, 0);
  importer.set(
      node, 0,
      reshaped(data, reshape_target(node, data.dims(),
                                    importer.has(node, 1) ? importer.constant(node, 1).integers()
                                                          : integers(node, "shape", {}))));
}

void fold_flatten(Importer& importer, const Node& node) {
  const Constant& data = importer.constant(node, 0);
  const Dims& dims = data.dims();
  const std::int64_t given = integer(node, "axis", 1);
  const std::size_t axis = given == static_cast<std::int64_t>(dims.size())
                               ? dims.size()
                               : axis_index(given, dims.size());
  const Dims outer(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(axis));
  const std::int64_t rows = element_count(outer);
  importer.set(node, 0, reshaped(data, {rows, rows == 0 ? 0 : data.elements() / rows}));
}

void fold_transpose(Importer& importer, const Node& node) {
  const Constant& data = importer.constant(node, 0);
  Dims reversed(data.dims().size());
  std::iota(reversed.rbegin(), reversed.rend(), 0);
  Dims order = integers(node, "perm", reversed), sorted = order;
  std::ranges::sort(sorted);
  std::ranges::reverse(reversed);
  if (sorted != reversed) throw Unsupported{"the permutation does not fit"};
  importer.set(node, 0, transposed(data, order));
}

void fold_unsqueeze(Importer& importer, const Node& node) {
  const Constant& data = importer.constant(node, 0);
  Dims axes = axes_of(importer, node, 1, {});
  Dims dims(data.dims().size() + axes.size(), -1);
  for (const std::int64_t axis : axes) dims[axis_index(axis, dims.size())] = 1;
  auto next = data.dims().begin();
  for (std::int64_t& length : dims)
    if (length == -1 && next != data.dims().end()) length = *next++;
  importer.set(node, 0, reshaped(data, dims));
}

void fold_squeeze(Importer& importer, const Node& node) {
  const Constant& data = importer.constant(node, 0);
  const Dims axes = axes_of(importer, node, 1, {});
  std::vector<bool> drop(data.dims().size(), false);
  for (const std::int64_t axis : axes) drop[axis_index(axis, drop.size())] = true;
  Dims dims;
  for (std::size_t i = 0; i < drop.size(); ++i)
    if (!(drop[i] || (axes.empty() && data.dims()[i] == 1))) dims.push_back(data.dims()[i]);
  importer.set(node, 0, reshaped(data, dims));
}

void fold_concat(Importer& importer, const Node& node) {
  std::vector<Constant> parts;
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    if (importer.has(node, i)) parts.push_back(importer.constant(node, i));
  if (parts.empty()) throw Unsupported{"joins nothing"};
  importer.set(node, 0,
               joined(parts, axis_index(integer(node, "axis", 1), parts[0].dims().size())));
}

void fold_gather(Importer& importer, const Node& node) {
  const Constant& data = importer.constant(node, 0);
  importer.set(node, 0,
               gathered(data, importer.constant(node, 1),
                        axis_index(integer(node, "axis", 0), data.dims().size())));
}

// Index by index along one axis; how position ids are looked up.
void fold_gather_elements(Importer& importer, const Node& node) {
  const Constant &data = importer.constant(node, 0), &indices = importer.constant(node, 1);
  const Dims own = data.dims(), dims = indices.dims();
  const std::size_t axis = axis_index(integer(node, "axis", 0), own.size());
  bool fits = dims.size() == own.size();
  for (std::size_t i = 0; fits && i < own.size(); ++i) fits = i == axis || dims[i] <= own[i];
  if (!fits) throw Unsupported{"the indices do not fit"};
  importer.set(
      node, 0,
      Constant::made(dims, data.type(), {data, indices}, [=](const std::vector<Constant>& from) {
        Constant::Numbers numbers = from[1].numbers();
        for (std::size_t i = 0; i < numbers.size(); ++i) {
          std::size_t rest = i;
          std::int64_t at = 0, stride = 1;
          for (std::size_t k = dims.size(); k-- > 0; stride *= own[k]) {
            const auto digit = static_cast<std::int64_t>(rest) % dims[k];
            rest /= static_cast<std::size_t>(dims[k]);
            auto index = k == axis ? static_cast<std::int64_t>(numbers[i]) : digit;
            if (index < 0) index += own[k];
            if (index < 0 || index >= own[k]) throw Unsupported{"an index lies outside"};
            at += index * stride;
          }
          numbers[i] = from[0].numbers()[at];
        }
        return numbers;
      }));
}

void fold_slice(Importer& importer, const Node& node) {
  Constant data = importer.constant(node, 0);
  for (const SlicePart& part : slice_parts(importer, node, data.dims()))
    data = sliced(data, part.axis, part.begin, part.count, part.step);
  importer.set(node, 0, data);
}

void fold_split(Importer& importer, const Node& node) {
  const Constant& data = importer.constant(node, 0);
  const std::size_t axis = axis_index(integer(node, "axis", 0), data.dims().size());
  std::int64_t begin = 0;
  std::size_t output = 0;
  for (const std::int64_t length : split_lengths(importer, node, data.dims()[axis])) {
    importer.set(node, output++, sliced(data, axis, begin, length));
    begin += length;
  }
}

void fold_expand(Importer& importer, const Node& node) {
  importer.set(node, 0,
               expanded(importer.constant(node, 0), importer.constant(node, 1).integers()));
}

void fold_tile(Importer& importer, const Node& node) {
  Constant data = importer.constant(node, 0);
  const Dims repeats = importer.constant(node, 1).integers();
  if (repeats.size() != data.dims().size()) throw Unsupported{"the repeats do not fit"};
  for (std::size_t i = 0; i < repeats.size(); ++i) {
    if (repeats[i] < 1 || repeats[i] > 1024) throw Unsupported{"repeats something too often"};
    data = joined(std::vector<Constant>(repeats[i], data), i);
  }
  importer.set(node, 0, data);
}

void fold_constant_of_shape(Importer& importer, const Node& node) {
  double value = 0;
  if (const Attribute* given = find_attribute(node, "value"); given && given->tensor)
    value = read_tensor(*given->tensor, importer.folder()).scalar();
  importer.set(node, 0, filled(importer.constant(node, 0).integers(), value));
}

void fold_range(Importer& importer, const Node& node) {
  const double start = importer.constant(node, 0).scalar();
  const double limit = importer.constant(node, 1).scalar();
  const double step = importer.constant(node, 2).scalar();
  const double count = std::max(0.0, std::ceil((limit - start) / step));
  if (!(count <= 1 << 24)) throw Unsupported{"a range without end"};
  Constant::Numbers numbers(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = start + static_cast<double>(i) * step;
  const Dims dims{static_cast<std::int64_t>(numbers.size())};  // before the numbers are moved away
  importer.set(node, 0, Constant::of(dims, importer.constant(node, 0).type(), std::move(numbers)));
}

const std::unordered_map<std::string_view, Handler>& movers() {
  static const std::unordered_map<std::string_view, Handler> table = {
      {"Constant", fold_constant},
      {"Shape", fold_shape},
      {"Size", fold_size},
      {"Identity", fold_identity},
      {"Dropout", fold_identity},
      {"Reshape", fold_reshape},
      {"Flatten", fold_flatten},
      {"Transpose", fold_transpose},
      {"Unsqueeze", fold_unsqueeze},
      {"Squeeze", fold_squeeze},
      {"Concat", fold_concat},
      {"Gather", fold_gather},
      {"GatherElements", fold_gather_elements},
      {"Slice", fold_slice},
      {"Split", fold_split},
      {"Expand", fold_expand},
      {"Tile", fold_tile},
      {"ConstantOfShape", fold_constant_of_shape},
      {"Range", fold_range},
  };
  return table;
}

}  // namespace

bool reads_shapes_only(std::string_view op) { return op == "Shape" || op == "Size"; }

void fold(Importer& importer, const Node& node) {
  const auto mover = movers().find(node.op);
  if (mover != movers().end()) return mover->second(importer, node);
  if (fold_arithmetic(importer, node) || fold_tables(importer, node)) return;
  throw Unsupported{"is not computed on constants"};
}

Dims reshape_target(const Node& node, const Dims& from, const Dims& asked) {
  const bool keep_zero = integer(node, "allowzero", 0) != 0;
  Dims dims = asked;
  std::int64_t* open = nullptr;
  std::int64_t rest = 1;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == 0 && !keep_zero) {
      if (i >= from.size()) throw Unsupported{"keeps the length of an axis that is not there"};
      dims[i] = from[i];
    }
    if (dims[i] == -1) {
      if (open) throw Unsupported{"leaves the length of two axes open"};
      open = &dims[i];
    } else {
      rest = element_count({rest, dims[i]});
    }
  }
  const std::int64_t count = element_count(from);
  if (open && (rest == 0 || count % rest != 0))
    throw Unsupported{
        fmt::format("{} cannot be reshaped to {}", fmt::join(from, "x"), fmt::join(asked, "x"))};
  if (open) *open = count / rest;
  if (element_count(dims) != count)
    throw Unsupported{
        fmt::format("{} cannot be reshaped to {}", fmt::join(from, "x"), fmt::join(asked, "x"))};
  return dims;
}

Dims axes_of(Importer& importer, const Node& node, std::size_t input, const Dims& otherwise) {
  if (importer.has(node, input)) return importer.constant(node, input).integers();
  return integers(node, "axes", otherwise);
}

std::vector<SlicePart> slice_parts(Importer& importer, const Node& node, const Dims& dims) {
  const bool by_input = importer.has(node, 1);
  const Dims begins =
      by_input ? importer.constant(node, 1).integers() : integers(node, "starts", {});
  const Dims ends = by_input ? importer.constant(node, 2).integers() : integers(node, "ends", {});
  Dims all(begins.size());
  std::iota(all.begin(), all.end(), 0);
  const Dims axes = axes_of(importer, node, 3, all);
  const Dims steps =
      importer.has(node, 4) ? importer.constant(node, 4).integers() : Dims(begins.size(), 1);
  if (ends.size() != begins.size() || axes.size() != begins.size() || steps.size() != begins.size())
    throw Unsupported{"begins, ends, axes and steps are not equally many"};
  std::vector<SlicePart> parts;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const std::size_t axis = axis_index(axes[i], dims.size());
    const std::int64_t length = dims[axis], step = steps[i];
    if (step == 0 || step < -kMaxElements || step > kMaxElements)
      throw Unsupported{fmt::format("a step of {}", step)};
    const auto bound = [&](std::int64_t at, std::int64_t low, std::int64_t high) {
      return std::clamp(at < 0 ? std::max(at, -kMaxElements) + length : at, low, high);
    };
    const std::int64_t begin =
        step > 0 ? bound(begins[i], 0, length) : bound(begins[i], 0, length - 1);
    const std::int64_t end = step > 0 ? bound(ends[i], 0, length) : bound(ends[i], -1, length - 1);
    const std::int64_t span = step > 0 ? end - begin : begin - end;
    const std::int64_t stride = step > 0 ? step : -step;
    parts.push_back({axis, begin, span <= 0 ? 0 : (span + stride - 1) / stride, step});
  }
  return parts;
}

Dims split_lengths(Importer& importer, const Node& node, std::int64_t length) {
  Dims lengths =
      importer.has(node, 1) ? importer.constant(node, 1).integers() : integers(node, "split", {});
  if (lengths.empty()) {
    const auto parts = static_cast<std::int64_t>(node.outputs.size());
    if (parts == 0) throw Unsupported{"has no outputs"};
    const std::int64_t share = (length + parts - 1) / parts;
    for (std::int64_t i = 0; i < parts; ++i)
      lengths.push_back(std::clamp<std::int64_t>(length - i * share, 0, share));
  }
  const auto fits = [&](std::int64_t part) { return part >= 0 && part <= length; };
  if (lengths.size() != node.outputs.size() || !std::ranges::all_of(lengths, fits) ||
      std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}) != length)
    throw Unsupported{
        fmt::format("an axis of {} cannot be split into {}", length, fmt::join(lengths, ", "))};
  return lengths;
}

}  // namespace ampere::onnx
