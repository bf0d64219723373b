// How long operations of programs take in LibTorch, each alone, on tensors that it has already
// seen.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "ampere/program.h"
#include "ampere/train.h"

namespace ampere {

class OperationTimer {
 public:
  virtual ~OperationTimer() = default;
  // Throws Error(failed) that names the operation when there is none of this name, when it does not
  // take these arguments or when its tensors do not fit into memory. Arguments that do not fit
  // together can bring the process down.
  virtual StepTimes time(const Operation& operation, std::span<const TensorType> tensors) = 0;
  // False after a failure that leaves the device unusable for this process.
  virtual bool is_usable() const = 0;
};

// On "cpu" or "cuda:N"; throws as open_torch_trainer does.
std::unique_ptr<OperationTimer> open_operation_timer(const std::string& device);

}  // namespace ampere
