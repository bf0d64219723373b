// Which of the models of a device answers for an operation.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ampere/program.h"

namespace ampere {

// Finer than OperationGroup: operations of one part run kernels whose times depend on the same
// features. Convolutions, attention and norms have one part per direction, since the kernels of
// their backward passes are others.
enum class OperationPart {
  product,
  tf32_product,  // of fp32 numbers
  convolution,
  convolution_backward,
  grouped_convolution,
  grouped_convolution_backward,
  attention,
  attention_backward,
  norm,
  norm_backward,
  recurrent,
  reduction,
  index,
  pool,
  update,
  pointwise,
  other  // names and groups that no features are written for
};
inline constexpr std::size_t kOperationParts = static_cast<std::size_t>(OperationPart::other) + 1;
const char* to_string(OperationPart part);
std::optional<OperationPart> find_operation_part(std::string_view word);

// What an operation is called among those of its part: its name, and whether it was told to use
// TF32 or not to, since it then takes another time.
std::string name_in_part(const Operation& operation);

// Nothing for an operation that gives the device no work. By its name and, where that leaves a
// choice, by its arguments; those of a convolution may throw Error(usage).
std::optional<OperationPart> part_of(const Operation& operation);

bool is_backward(OperationPart part);  // of the parts that have one per direction
bool is_grouped_convolution(OperationPart part);

}  // namespace ampere
