#include "method/operations/tensor_layout.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "program/tensor_type.h"

namespace ampere {

bool is_contiguous(const TensorType& type) {
  std::int64_t expected = 1;
  for (std::size_t axis = type.sizes.size(); axis-- > 0;) {
    if (type.sizes[axis] == 1) continue;
    if (type.strides[axis] != expected) return false;
    expected *= type.sizes[axis];
  }
  return true;
}

bool is_channels_last(const TensorType& type) {
  return type.sizes.size() == 4 && type.strides[1] == 1 && type.sizes[1] > 1 &&
         elements_from(type, 2) > 1;
}

bool is_expanded(const TensorType& type) {
  for (std::size_t axis = 0; axis < type.sizes.size(); ++axis)
    if (type.sizes[axis] > 1 && type.strides[axis] == 0) return true;
  return false;
}

int fastest_axis(const TensorType& type) {
  for (std::size_t axis = type.sizes.size(); axis-- > 0;)
    if (type.sizes[axis] > 1 && type.strides[axis] == 1) return static_cast<int>(axis);
  return -1;
}

double dense_run(const TensorType& type) {
  std::vector<std::pair<std::int64_t, std::int64_t>> axes;
  for (std::size_t axis = 0; axis < type.sizes.size(); ++axis)
    if (type.sizes[axis] > 1) axes.emplace_back(type.strides[axis], type.sizes[axis]);
  std::ranges::sort(axes);
  std::int64_t run = 1;
  for (const auto& [stride, size] : axes) {
    if (stride != run) break;
    run *= size;
  }
  return static_cast<double>(run);
}

double elements_from(const TensorType& type, std::size_t axis) {
  double elements = 1;
  for (; axis < type.sizes.size(); ++axis) elements *= static_cast<double>(type.sizes[axis]);
  return elements;
}

std::int64_t last_size(const TensorType& type) {
  return type.sizes.empty() ? 1 : type.sizes.back();
}

double expanded_bytes(const TensorType& type) { return elements_of(type) * bytes_of(type.element); }

bool is_floating(ElementType type) {
  return type == ElementType::fp64 || type == ElementType::fp32 || is_half(type);
}

bool is_half(ElementType type) {
  return type == ElementType::bf16 || type == ElementType::fp16 || type == ElementType::fp8;
}

bool is_index(ElementType type) { return type == ElementType::int64 || type == ElementType::int32; }

}  // namespace ampere
