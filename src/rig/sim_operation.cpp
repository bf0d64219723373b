#include "rig/sim_operation.h"

#include "program/operation_view.h"
#include "rig/sim_noise.h"

namespace ampere {
namespace {

constexpr double kViewShare = 0.5;  // of the host time of a launch
constexpr double kLeastFactor = 0.8, kFactorRange = 0.5;
constexpr double kBytesOfPeak = 4;  // the peak of a law is that of fp32

// The format of the first tensor that it reads; fp32 when it reads none.
ElementType format_of(const ValueList& values, std::span<const TensorType> tensors) {
  for (const Value& value : values)
    if (const auto* tensor = std::get_if<TensorIndex>(&value.is))
      return tensors[static_cast<std::size_t>(tensor->index)].element;
  return ElementType::fp32;
}

// One, except for recurrent operations: these take one step after the other, with one kernel each
// and two in the backward pass, as the law of a recurrent layer has it.
double kernels_of(const Operation& operation, std::span<const TensorType> tensors) {
  const bool is_backward = operation.name == "recurrent_backward";
  if (!is_backward && operation.name != "recurrent") return 1;
  const OperationView view(operation, tensors);
  const std::size_t input = is_backward ? 1 : 0;  // after a gradient
  const bool batch_first = view.flag(input + 7, false);
  const auto steps = static_cast<double>(view.tensor(input, 2).sizes[batch_first ? 1 : 0]);
  return is_backward ? 2 * steps : steps;
}

// Not every operation is implemented equally well. A profile has to find out how well.
double implementation_factor(const SimLaw& law, const std::string& name) {
  return kLeastFactor + kFactorRange * SimNoise(law.name + " " + name).uniform();
}

}  // namespace

SimCost sim_operation_cost(const SimLaw& law, const Operation& operation,
                           std::span<const TensorType> tensors) {
  SimCost cost;
  if (!operation.launches) {
    cost.host_s = kViewShare * law.launch_s;
    return cost;
  }
  const OperationCounts counts = count(operation, tensors);
  const double kernels = kernels_of(operation, tensors);
  const double flops =
      counts.flops * bytes_of(format_of(operation.arguments, tensors)) / kBytesOfPeak;
  cost.host_s = law.launch_s * kernels;
  cost.device_s = law.kernel_s * kernels + implementation_factor(law, operation.name) *
                                               sim_roofline_s(law, flops, counts.bytes);
  cost.dynamic_j =
      law.j_per_flop * flops + law.j_per_byte * counts.bytes + law.j_per_kernel * kernels;
  cost.memory_bytes = counts.bytes;
  return cost;
}

}  // namespace ampere
