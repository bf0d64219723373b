// What an operation makes a device do: the numbers of a roofline.
#pragma once

#include <span>

#include "ampere/program.h"
#include "method/operations/operation_part.h"

namespace ampere {

// Arithmetic units that differ in speed and energy. Convolutions and recurrent layers of fp32
// numbers run in TF32 by default, matrix products do not.
enum class FlopClass { none, fp32, tf32, half };
inline constexpr std::size_t kFlopClasses = 4;

struct DeviceWork {
  double flops = 0;
  FlopClass flop_class = FlopClass::none;
  // Moved by the kernels that really run. More than OperationCounts::bytes where an operation
  // copies an argument first or runs several kernels over it.
  double bytes = 0;
  double launches = 1;  // of kernels, one after the other
};
// Throws Error(usage) that names the operation when its arguments are not those of its name.
DeviceWork device_work(const Operation& operation, std::span<const TensorType> tensors,
                       OperationPart part);

// How many of a norm's large arguments are made contiguous before it begins.
int copied_arguments_of_norm(const Operation& operation, std::span<const TensorType> tensors);

// Of updates: tensors per list, lists with the new one that the call returns, and chunks of 65536
// elements, of which one launch takes only so many.
struct UpdateSize {
  std::vector<const TensorType*> first;  // the tensors of the first list
  int depth = 0;
  bool makes_new = false;
  bool has_scalar_list = false;
  double chunks = 0, launches = 1;
};
UpdateSize update_size(const Operation& operation, std::span<const TensorType> tensors);

}  // namespace ampere
