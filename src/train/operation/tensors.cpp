#include "train/operation/tensors.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ampere/error.h"
#include "program/tensor_type.h"

namespace ampere {
namespace {

// Numbers with which logarithms, roots, divisions, variances and probabilities all work.
constexpr double kLowest = 0.25, kHighest = 0.75;

// How many elements of memory the tensor needs. An expanded axis needs no more than one element.
std::int64_t stored_elements(const TensorType& type) {
  return elements_of(type) == 0 ? 0 : static_cast<std::int64_t>(span_of(type));
}

std::int64_t largest(at::ScalarType type) {
  switch (type) {
    case at::kByte:
      return std::numeric_limits<std::uint8_t>::max();
    case at::kChar:
      return std::numeric_limits<std::int8_t>::max();
    case at::kShort:
      return std::numeric_limits<std::int16_t>::max();
    case at::kInt:
      return std::numeric_limits<std::int32_t>::max();
    default:
      return std::numeric_limits<std::int64_t>::max();
  }
}

at::Tensor numbers(at::ScalarType type, std::int64_t count, std::int64_t below, at::Device device) {
  const auto on_device = at::TensorOptions(device);
  if (type == at::kBool) return at::rand({count}, on_device).lt(0.5);
  if (at::isComplexType(type))
    return at::view_as_complex(at::rand({count, 2}, on_device.dtype(at::kDouble))).to(type);
  if (!at::isFloatingType(type))
    return at::randint(std::min(below, largest(type)), {count}, on_device.dtype(type));
  return at::empty({count}, on_device.dtype(at::kFloat)).uniform_(kLowest, kHighest).to(type);
}

}  // namespace

at::ScalarType scalar_type(ElementType element) {
  switch (element) {
    case ElementType::fp64:
      return at::kDouble;
    case ElementType::fp32:
      return at::kFloat;
    case ElementType::fp16:
      return at::kHalf;
    case ElementType::bf16:
      return at::kBFloat16;
    case ElementType::int64:
      return at::kLong;
    case ElementType::int32:
      return at::kInt;
    case ElementType::int16:
      return at::kShort;
    case ElementType::int8:
      return at::kChar;
    case ElementType::uint8:
      return at::kByte;
    case ElementType::boolean:
      return at::kBool;
    case ElementType::complex64:
      return at::kComplexFloat;
    case ElementType::complex128:
      return at::kComplexDouble;
    case ElementType::fp8:
      break;
  }
  throw Error(ErrorCode::failed,
              fmt::format("numbers in {} are not timed with LibTorch", to_string(element)));
}

bool is_tensor(const Value& value) { return std::holds_alternative<TensorIndex>(value.is); }

bool has_result(const Operation& operation, std::size_t index, const OperationTensors& tensors) {
  return index < operation.results.size() && is_tensor(operation.results[index]) &&
         elements_of(tensors.type(operation.results[index])) > 0;
}

const TensorType& OperationTensors::type(const Value& value) const {
  return types_[static_cast<std::size_t>(std::get<TensorIndex>(value.is).index)];
}

double OperationTensors::bytes_of(const Value& value) const {
  double bytes = 0;
  if (const auto* list = std::get_if<ValueList>(&value.is))
    for (const Value& each : *list) bytes += bytes_of(each);
  if (is_tensor(value))
    bytes +=
        static_cast<double>(stored_elements(type(value))) * ampere::bytes_of(type(value).element);
  return bytes;
}

at::Tensor OperationTensors::make(const Value& value, std::optional<std::int64_t> below) const {
  const TensorType& wanted = type(value);
  const std::int64_t limit = std::max<std::int64_t>(below.value_or(2), 1);
  return numbers(scalar_type(wanted.element), stored_elements(wanted), limit, device_)
      .as_strided(wanted.sizes, wanted.strides);
}

at::Tensor OperationTensors::make_if_there(const Value& value) const {
  return is_tensor(value) ? make(value) : at::Tensor();
}

}  // namespace ampere
