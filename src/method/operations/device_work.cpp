#include "method/operations/device_work.h"

#include <algorithm>
#include <cmath>

#include "method/operations/feature_row.h"
#include "method/operations/tensor_layout.h"
#include "program/counts.h"
#include "program/tensor_type.h"

namespace ampere {
namespace {

constexpr double kSector = 32;  // bytes that one access of device memory moves at least

// PyTorch's multi_tensor_apply: chunks of so many elements, so many chunks per launch, and as many
// tensors as fit into the arguments of a kernel, by the number of lists.
constexpr double kChunk = 65536, kChunksPerLaunch = 320;
double most_tensors(int depth, bool scalar_list) {
  constexpr double kMost[] = {110, 64, 48, 36};
  if (depth < 1 || depth > 4) return 30;
  return depth == 1 && scalar_list ? 96 : kMost[depth - 1];
}

// The gradients of the input and of the weight are two kernels, each of which reads the incoming
// gradient and moves both others; that of the bias is a third. An expanded gradient is copied
// before.
double convolution_backward_bytes(const OperationView& view) {
  const TensorType& gradient = view.tensor(0, 2);
  const double y = expanded_bytes(gradient);
  const double x = view.argument_bytes(1), w = view.argument_bytes(2);
  const double products = view.listed_flag(10, 0) + view.listed_flag(10, 1);
  return products * (x + w + y) + (view.listed_flag(10, 2) ? y : 0) +
         (is_expanded(gradient) ? 2 * y : 0);
}

// A gradient that was expanded from one number is written out before pooling's backward pass.
double written_out_gradient(const OperationView& view) {
  if (!plain_name(view.operation()).ends_with("_backward")) return 0;
  const TensorType& gradient = view.tensor(0);
  return expanded_bytes(gradient) - distinct_bytes(gradient);
}

// Softmax copies arguments that are not contiguous.
double copied_by_softmax(const Operation& operation, std::span<const TensorType> tensors) {
  if (operation.name.find("softmax") == std::string::npos) return 0;
  double bytes = 0;
  for (const TensorType* type : tensors_of(operation, tensors).inputs)
    if (elements_of(*type) > 1 && !is_contiguous(*type)) bytes += 2 * distinct_bytes(*type);
  return bytes;
}

// Every number that a loss picks lies in a sector of its own.
double picked_sectors(const OperationView& view) {
  if (plain_name(view.operation()) != "nll_loss_forward") return 0;
  const double picked = elements_of(view.tensor(1));
  return picked * std::max(0.0, kSector - bytes_of(view.tensor(0).element));
}

double moved_bytes(const OperationView& view, std::span<const TensorType> tensors,
                   OperationPart part) {
  const Operation& operation = view.operation();
  switch (part) {
    case OperationPart::convolution_backward:
    case OperationPart::grouped_convolution_backward:
      return convolution_backward_bytes(view);
    case OperationPart::norm:
    case OperationPart::norm_backward: {
      const TensorType& input = view.tensor(part == OperationPart::norm_backward ? 1 : 0);
      return bytes_moved_by(view) +
             2 * copied_arguments_of_norm(operation, tensors) * expanded_bytes(input);
    }
    case OperationPart::pool:
      return bytes_moved_by(view) + written_out_gradient(view);
    case OperationPart::reduction:
      return bytes_moved_by(view) + copied_by_softmax(operation, tensors);
    case OperationPart::index:
      return bytes_moved_by(view) + picked_sectors(view);
    default:
      return bytes_moved_by(view);
  }
}

double kernel_launches(const OperationView& view, std::span<const TensorType> tensors,
                       OperationPart part) {
  if (part == OperationPart::update) return update_size(view.operation(), tensors).launches;
  if (part != OperationPart::recurrent) return 1;
  const RecurrentSize size = recurrent_size(view);
  return size.steps * size.layers * (size.backward ? 2 : 1);
}

FlopClass class_of(const Operation& operation, std::span<const TensorType> tensors,
                   OperationPart part) {
  if (works_in_half(tensors_of(operation, tensors))) return FlopClass::half;
  const OperationGroup group = group_of(operation);
  const bool by_default_tf32 =
      group == OperationGroup::convolution || part == OperationPart::recurrent;
  return operation.tf32.value_or(by_default_tf32) ? FlopClass::tf32 : FlopClass::fp32;
}

}  // namespace

int copied_arguments_of_norm(const Operation& operation, std::span<const TensorType> tensors) {
  const std::string_view name = plain_name(operation);
  const bool batch = name.starts_with("batch_norm");
  const OperationView view(operation, tensors);
  const TensorType& x = view.tensor(name.ends_with("_backward") ? 1 : 0);
  int copied = 0;
  for (const TensorType* type : tensors_of(operation, tensors).inputs) {
    if (elements_of(*type) != elements_of(x)) continue;
    const bool other_layout =
        batch ? is_channels_last(*type) != is_channels_last(x) : !is_contiguous(*type);
    copied += other_layout || is_expanded(*type) ? 1 : 0;
  }
  return copied;
}

UpdateSize update_size(const Operation& operation, std::span<const TensorType> tensors) {
  UpdateSize size;
  for (const Value& value : operation.arguments) {
    const auto* list = std::get_if<ValueList>(&value.is);
    if (list == nullptr) continue;
    const std::vector<const TensorType*> types = tensors_in(*list, tensors);
    if (types.empty()) continue;
    if (size.depth++ == 0) size.first = types;
  }
  size.makes_new = !is_in_place(operation);
  size.depth += size.makes_new ? 1 : 0;
  size.has_scalar_list = operation.name.find("ScalarList") != std::string::npos;
  for (const TensorType* type : size.first) size.chunks += std::ceil(elements_of(*type) / kChunk);
  const double most = most_tensors(size.depth, size.has_scalar_list);
  size.launches = std::max({1.0, std::ceil(size.chunks / kChunksPerLaunch),
                            std::ceil(static_cast<double>(size.first.size()) / most)});
  return size;
}

DeviceWork device_work(const Operation& operation, std::span<const TensorType> tensors,
                       OperationPart part) {
  const OperationView view(operation, tensors);
  DeviceWork work;
  work.flops = flops_of(view);
  work.flop_class = work.flops > 0 ? class_of(operation, tensors, part) : FlopClass::none;
  work.bytes = moved_bytes(view, tensors, part);
  work.launches = kernel_launches(view, tensors, part);
  return work;
}

}  // namespace ampere
