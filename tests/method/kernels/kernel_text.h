// Kernels as one line each.
#pragma once

#include <string>
#include <vector>

#include "method/kernels/kernel.h"

namespace ampere::testing_support {

inline std::vector<std::string> types(const std::vector<Kernel>& kernels) {
  std::vector<std::string> types;
  for (const Kernel& kernel : kernels) types.push_back(kernel.type);
  return types;
}

inline std::vector<std::string> texts(const std::vector<Kernel>& kernels) {
  std::vector<std::string> texts;
  for (const Kernel& kernel : kernels)
    texts.push_back(kernel.type + " " + to_string(kernel.config));
  return texts;
}

}  // namespace ampere::testing_support
