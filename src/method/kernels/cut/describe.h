// What a kernel is called and measured by, read off the kernel alone.
#pragma once

#include <string>

#include "method/kernels/kernel.h"

namespace ampere {

inline constexpr const char* kSqueezeExcite = "squeeze-excite";

struct KernelName {
  std::string type;
  KernelConfig config;
};

// `alone`: inputs, then the kernel's layers in order.
KernelName describe_chain(const Model& alone);
KernelName describe_squeeze_excite(const Model& alone);

}  // namespace ampere
