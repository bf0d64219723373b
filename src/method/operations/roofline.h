// The least time that an operation takes on a device: t = floor · launches + max(FLOPs / peak,
// bytes / bandwidth).
#pragma once

#include <array>
#include <span>

#include "method/operations/operation_features.h"

namespace ampere {

struct Roofline {
  double floor_s = 2e-6;  // of one launch
  double bytes_per_s = 4e12;
  // By FlopClass; the values of a class that was not timed are those of a large GPU.
  std::array<double, kFlopClasses> flops_per_s{1e30, 5e13, 3e14, 6e14};

  double seconds(const DeviceWork& work) const;
};

// What was timed, as its features.
struct TimedFeatures {
  OperationFeatures features;
  double device_s = 0;  // above 0
};
Roofline fit_roofline(std::span<const TimedFeatures> timed);

}  // namespace ampere
