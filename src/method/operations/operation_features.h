// What the time of an operation depends on, as numbers.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ampere/program.h"
#include "method/operations/device_work.h"
#include "method/operations/operation_part.h"

namespace ampere {

// What the method needs to know of a device before anything is measured on it.
struct OperationDevice {
  int multiprocessors = 132;  // that run thread blocks side by side
  double cache_bytes = 50e6;  // of the last cache before the device's memory
  std::optional<double> power_limit_w = {};
  friend bool operator==(const OperationDevice&, const OperationDevice&) = default;
};

struct OperationFeatures {
  OperationPart part = OperationPart::other;
  DeviceWork work;
  bool half = false;  // works with numbers of two bytes
  std::vector<double> values;
  std::vector<std::string_view> names;  // one per value: "log2 M"; the same for all of a part
};
// Nothing for an operation that gives the device no work. An operation whose arguments are not
// those of its name counts as one of an unknown name.
std::optional<OperationFeatures> operation_features(const Operation& operation,
                                                    std::span<const TensorType> tensors,
                                                    const OperationDevice& device);

}  // namespace ampere
