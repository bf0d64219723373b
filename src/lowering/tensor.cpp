#include "lowering/tensor.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "program/tensor_type.h"

namespace ampere::lowering {
namespace {

// Strides of one operand along the axes of the result; 0 where it is repeated.
Sizes broadcast_strides(const TensorType& operand, const Sizes& sizes) {
  Sizes strides(sizes.size(), 0);
  const std::size_t missing = sizes.size() - operand.sizes.size();
  for (std::size_t i = 0; i < operand.sizes.size(); ++i)
    if (operand.sizes[i] != 1 || sizes[i + missing] == 1) strides[i + missing] = operand.strides[i];
  return strides;
}

Sizes broadcast_sizes(std::span<const TensorType> operands) {
  Sizes sizes;
  for (const TensorType& operand : operands)
    if (operand.sizes.size() > sizes.size())
      sizes.insert(sizes.begin(), operand.sizes.size() - sizes.size(), 1);
  for (const TensorType& operand : operands)
    for (std::size_t i = 0; i < operand.sizes.size(); ++i) {
      std::int64_t& size = sizes[sizes.size() - operand.sizes.size() + i];
      if (size == 1) size = operand.sizes[i];
    }
  return sizes;
}

// Positive when axis `a` should be slower than axis `b`, negative when faster; 0: no operand tells.
int compare_axes(std::span<const Sizes> strides, const Sizes& sizes, int a, int b) {
  for (const Sizes& each : strides) {
    if (each[a] == 0 || each[b] == 0) continue;
    if (each[a] != each[b]) return each[a] < each[b] ? -1 : 1;
    if (sizes[a] > sizes[b]) return 1;
  }
  return 0;
}

// Axes from the fastest to the slowest. This repeats TensorIterator's insertion sort, because the
// comparison is no order and another sort would give another answer.
std::vector<int> fastest_first(std::span<const Sizes> strides, const Sizes& sizes) {
  std::vector<int> axes(sizes.size());
  std::iota(axes.rbegin(), axes.rend(), 0);
  for (int i = 1; i < static_cast<int>(axes.size()); ++i) {
    int moved = i;
    for (int other = i - 1; other >= 0; --other) {
      const int comparison = compare_axes(strides, sizes, axes[other], axes[moved]);
      if (comparison < 0) break;
      if (comparison == 0) continue;
      std::swap(axes[other], axes[moved]);
      moved = other;
    }
  }
  return axes;
}

}  // namespace

std::int64_t Tensor::size(int axis) const { return type.sizes[axis_of(axis, type.sizes.size())]; }

Tensor detached(Tensor tensor) {
  tensor.edge = {};
  return tensor;
}

std::int64_t product(std::span<const std::int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

std::size_t axis_of(std::int64_t axis, std::size_t rank) {
  return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
}

TensorType dense(ElementType element, Sizes sizes) {
  Sizes strides = contiguous_strides(sizes);
  return {element, std::move(sizes), std::move(strides)};
}

bool is_contiguous(const TensorType& type) {
  std::int64_t expected = 1;
  for (std::size_t i = type.sizes.size(); i-- > 0;) {
    if (type.sizes[i] == 1) continue;
    if (type.strides[i] != expected) return false;
    expected *= type.sizes[i];
  }
  return true;
}

// The same decision as PyTorch's for strides that could mean both; then the channels come first.
bool is_channels_last(const TensorType& type) {
  if (type.sizes.size() != 4 || type.strides[1] == 0) return false;
  std::int64_t least = 0;
  for (const std::size_t axis : {1, 3, 2, 0}) {
    const std::int64_t size = type.sizes[axis], stride = type.strides[axis];
    if (size == 0 || stride < least || (axis == 0 && least == type.strides[1])) return false;
    least = size > 1 ? stride * size : stride;
  }
  return true;
}

TensorType dense_like(const TensorType& like, Sizes sizes) {
  TensorType type = dense(like.element, std::move(sizes));
  if (type.sizes.size() == 4 && is_channels_last(like)) {
    const std::int64_t row = type.sizes[3] * type.sizes[1];
    type.strides = {row * type.sizes[2], 1, row, type.sizes[1]};
  }
  return type;
}

bool overlaps_or_has_holes(const TensorType& type) {
  std::vector<std::pair<std::int64_t, std::int64_t>> axes;
  for (std::size_t i = 0; i < type.sizes.size(); ++i)
    if (type.sizes[i] != 1) axes.emplace_back(type.strides[i], type.sizes[i]);
  std::sort(axes.begin(), axes.end());
  std::int64_t expected = 1;
  for (const auto& [stride, size] : axes) {
    if (stride != expected) return true;
    expected *= size;
  }
  return false;
}

TensorType canonical(TensorType type) {
  if (is_contiguous(type)) type.strides = contiguous_strides(type.sizes);
  return type;
}

ElementType promoted(ElementType a, ElementType b) {
  if (a == b) return a;
  constexpr auto rank = [](ElementType type) {
    switch (type) {
      case ElementType::boolean:
        return 0;
      case ElementType::uint8:
      case ElementType::int8:
        return 1;
      case ElementType::int16:
        return 2;
      case ElementType::int32:
        return 3;
      case ElementType::int64:
        return 4;
      case ElementType::bf16:
      case ElementType::fp16:
        return 5;
      case ElementType::fp32:
        return 6;
      default:
        return 7;
    }
  };
  return rank(a) < rank(b) ? b : a;
}

TensorType elementwise(std::span<const TensorType> operands) {
  // A single number does not decide the format of a result that has axes.
  ElementType element = operands.front().element;
  bool has_axes = !operands.front().sizes.empty();
  for (const TensorType& operand : operands.subspan(1)) {
    if (!operand.sizes.empty() && !has_axes)
      element = operand.element, has_axes = true;
    else if (!operand.sizes.empty() || !has_axes)
      element = promoted(element, operand.element);
  }
  const Sizes sizes = broadcast_sizes(operands);
  const bool same_sizes = std::all_of(operands.begin(), operands.end(),
                                      [&](const TensorType& each) { return each.sizes == sizes; });
  if (same_sizes && std::all_of(operands.begin(), operands.end(), is_contiguous))
    return dense(element, sizes);
  const bool same_strides =
      std::all_of(operands.begin(), operands.end(),
                  [&](const TensorType& each) { return each.strides == operands.front().strides; });
  if (same_sizes && same_strides && !overlaps_or_has_holes(operands.front()))
    return {element, sizes, operands.front().strides};
  std::vector<Sizes> strides;
  for (const TensorType& operand : operands) strides.push_back(broadcast_strides(operand, sizes));
  TensorType result{element, sizes, Sizes(sizes.size())};
  std::int64_t next = 1;
  for (const int axis : fastest_first(strides, sizes)) {
    result.strides[axis] = next;
    next *= std::max<std::int64_t>(sizes[axis], 1);
  }
  return result;
}

// Walks from the last axis over runs of axes that lie densely, as PyTorch's computeStride does.
Sizes view_strides(const TensorType& type, const Sizes& sizes) {
  if (type.sizes.empty()) return Sizes(sizes.size(), 1);
  Sizes strides(sizes.size());
  auto wanted = static_cast<std::int64_t>(sizes.size()) - 1;
  std::int64_t base = type.strides.back();
  std::int64_t elements = 1, placed = 1;
  for (std::size_t i = type.sizes.size(); i-- > 0;) {
    elements *= type.sizes[i];
    const bool ends = i == 0 || (type.sizes[i - 1] != 1 && type.strides[i - 1] != elements * base);
    if (!ends) continue;
    while (wanted >= 0 && (placed < elements || sizes[wanted] == 1)) {
      strides[wanted] = placed * base;
      placed *= sizes[wanted--];
    }
    if (placed != elements) return {};
    if (i > 0) {
      base = type.strides[i - 1];
      elements = placed = 1;
    }
  }
  return wanted == -1 ? strides : Sizes{};
}

}  // namespace ampere::lowering
