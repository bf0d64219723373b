// What a predictor sees of a configuration: its sizes, and for what multiplies also FLOPs and
// parameters.
#pragma once

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "method/kernels/kernel.h"

namespace ampere {

// How many features a type with these columns has.
Eigen::Index feature_count(const std::string& type, std::span<const std::string> columns);

// Throws Error(usage) naming the column that the configuration lacks.
Eigen::VectorXd kernel_features(const std::string& type, std::span<const std::string> columns,
                                const KernelConfig& config);

// Features over orders of magnitude, as the process sees them: log(x), log(1 + x) where x may be 0.
Eigen::VectorXd log_features(const std::string& type, std::span<const std::string> columns,
                             const KernelConfig& config);

}  // namespace ampere
