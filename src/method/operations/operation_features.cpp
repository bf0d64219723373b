#include "method/operations/operation_features.h"

#include <algorithm>

#include "ampere/error.h"
#include "method/operations/part_features.h"
#include "method/operations/tensor_layout.h"
#include "program/tensor_type.h"

namespace ampere {
namespace {

const TensorType& single_number() {
  static const TensorType type;
  return type;
}

// The first of the largest.
const TensorType* largest(const std::vector<const TensorType*>& types) {
  const TensorType* most = nullptr;
  for (const TensorType* type : types)
    if (most == nullptr || elements_of(*type) > elements_of(*most)) most = type;
  return most;
}

FeatureInput input_of(const Operation& operation, std::span<const TensorType> tensors) {
  OperationTensors of = tensors_of(operation, tensors);
  const TensorType* input = largest(of.inputs);
  const TensorType* output = of.outputs.empty() ? input : of.outputs.front();
  if (output == nullptr) output = &single_number();
  if (input == nullptr) input = output;
  return {OperationView(operation, tensors), tensors, std::move(of), *output, *input};
}

void add_part_features(OperationPart part, const FeatureInput& in, FeatureRow& row) {
  switch (part) {
    case OperationPart::product:
    case OperationPart::tf32_product:
      return add_product_features(in, row);
    case OperationPart::convolution:
    case OperationPart::convolution_backward:
    case OperationPart::grouped_convolution:
    case OperationPart::grouped_convolution_backward:
      return add_convolution_features(in, is_backward(part), row);
    case OperationPart::attention:
    case OperationPart::attention_backward:
      return add_attention_features(in, is_backward(part), row);
    case OperationPart::norm:
    case OperationPart::norm_backward:
      return add_norm_features(in, is_backward(part), row);
    case OperationPart::recurrent:
      return add_recurrent_features(in, row);
    case OperationPart::reduction:
      return add_reduction_features(in, row);
    case OperationPart::index:
      return add_index_features(in, row);
    case OperationPart::pool:
      return add_pool_features(in, row);
    case OperationPart::update:
      return add_update_features(in, row);
    case OperationPart::pointwise:
    case OperationPart::other:
      return add_pointwise_features(in, row);
  }
}

OperationFeatures features_as(OperationPart part, const Operation& operation,
                              std::span<const TensorType> tensors, const OperationDevice& device) {
  const FeatureInput in = input_of(operation, tensors);
  OperationFeatures features;
  features.part = part;
  features.work = device_work(operation, tensors, part);
  features.half = works_in_half(in.of);
  FeatureRow row(std::max(1, device.multiprocessors));
  add_part_features(part, in, row);
  row.add("half", features.half ? 1 : 0);
  row.add_log("log2 bytes", features.work.bytes + 1);
  row.add_log("log2 flops", features.work.flops + 1);
  row.add_log("log2 flops per byte", (features.work.flops + 1) / (features.work.bytes + 1));
  features.values = row.values();
  features.names = row.names();
  return features;
}

// All bytes of the tensors, and no FLOPs: what is left to say about an operation that even its own
// counts refuse.
OperationFeatures features_as_unknown(const Operation& operation,
                                      std::span<const TensorType> tensors,
                                      const OperationDevice& device) {
  Operation unnamed = operation;
  unnamed.name = "unknown";
  return features_as(OperationPart::other, unnamed, tensors, device);
}

}  // namespace

std::optional<OperationFeatures> operation_features(const Operation& operation,
                                                    std::span<const TensorType> tensors,
                                                    const OperationDevice& device) {
  try {
    const std::optional<OperationPart> part = part_of(operation);
    if (!part) return std::nullopt;
    return features_as(*part, operation, tensors, device);
  } catch (const Error&) {
    return features_as_unknown(operation, tensors, device);
  }
}

}  // namespace ampere
