// Kernels with costs that a simple device would have.
#pragma once

#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "method/kernels/kernel.h"
#include "method/kernels/kernel_data.h"

namespace ampere::testing_support {

// A launch, then a share for every operation and parameter.
inline double energy_of(const Kernel& kernel) {
  return 1e-4 + 1e-10 * static_cast<double>(kernel.flops) +
         1e-9 * static_cast<double>(kernel.parameters);
}

// Every kernel once, at two watts, with relative noise.
inline std::vector<TableRow> measured(std::span<const Kernel> kernels, double noise = 0) {
  std::mt19937_64 random(7);
  std::vector<TableRow> rows;
  for (const Kernel& kernel : kernels) {
    const double share = static_cast<double>(random() >> 11) * 0x1p-52 - 1;
    TableRow row{kernel.type, kernel.config};
    row.energy_j = energy_of(kernel) * std::exp(noise * share);
    row.power_w = 2;
    row.latency_s = row.energy_j / 2;
    row.line = static_cast<int>(rows.size()) + 2;
    rows.push_back(row);
  }
  return rows;
}

}  // namespace ampere::testing_support
