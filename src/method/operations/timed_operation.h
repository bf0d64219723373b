// What was measured of one operation alone on a device.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ampere/program.h"

namespace ampere {

struct TimedOperation {
  Operation operation;
  std::vector<TensorType> tensors;  // those that the indices of the operation point to
  double device_s = 0;              // back to back, with the queue kept full
  std::optional<double> host_s;     // of one call
  // The family of the program that contains it; empty for one that was made up for a sweep. An
  // operation of several programs occurs once for each.
  std::string family;
};

}  // namespace ampere
