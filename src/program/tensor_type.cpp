#include "program/tensor_type.h"

#include <algorithm>
#include <cmath>

namespace ampere {
namespace {

// Below 2^63 with room for rounding: whoever comes close has no such tensor either.
const double kMostBytes = std::ldexp(1.0, 63) - 1024;

}  // namespace

double span_of(const TensorType& type) {
  double span = 1;
  for (std::size_t axis = 0; axis < type.sizes.size(); ++axis)
    span += static_cast<double>(type.sizes[axis] - 1) * static_cast<double>(type.strides[axis]);
  return span;
}

std::vector<std::int64_t> contiguous_strides(const std::vector<std::int64_t>& sizes) {
  std::vector<std::int64_t> strides(sizes.size());
  std::uint64_t stride = 1;
  for (std::size_t axis = sizes.size(); axis-- > 0;) {
    strides[axis] = static_cast<std::int64_t>(stride);
    stride *= static_cast<std::uint64_t>(std::max<std::int64_t>(sizes[axis], 1));
  }
  return strides;
}

std::string tensor_fault(const TensorType& type) {
  if (type.strides.size() != type.sizes.size()) return "must have as many strides as sizes";
  double elements = 1;  // an empty axis makes no others small
  for (const std::int64_t size : type.sizes) {
    if (size < 0) return "has a negative size";
    elements *= static_cast<double>(std::max<std::int64_t>(size, 1));
  }
  const double bytes = bytes_of(type.element);
  if (!(elements * bytes <= kMostBytes)) return "has more bytes than 63 bits can count";
  for (const std::int64_t stride : type.strides)
    if (stride < 0) return "has a negative stride";
  if (!(span_of(type) * bytes <= kMostBytes)) return "spans more bytes than 63 bits can count";
  return "";
}

double elements_of(const TensorType& type) {
  double elements = 1;
  for (const std::int64_t size : type.sizes) elements *= static_cast<double>(size);
  return elements;
}

double distinct_elements(const TensorType& type) {
  double elements = 1;
  for (std::size_t axis = 0; axis < type.sizes.size(); ++axis) {
    if (type.sizes[axis] == 0) return 0;
    if (type.strides[axis] != 0) elements *= static_cast<double>(type.sizes[axis]);
  }
  return std::min(elements, span_of(type));
}

double distinct_bytes(const TensorType& type) {
  return distinct_elements(type) * bytes_of(type.element);
}

}  // namespace ampere
