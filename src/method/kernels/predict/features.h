// What a predictor sees of a configuration: its sizes, and for what multiplies also FLOPs and
// parameters. The process also sees how well the channels of a convolution are aligned.
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

// Which of these columns are channels that a convolution multiplies. Libraries choose another
// algorithm where they are not a multiple of 4, 8 or 32, and it may take several times as long.
std::vector<std::string> aligned_columns(const std::string& type,
                                         std::span<const std::string> columns);

// Features over orders of magnitude, as the process sees them: log(x), log(1 + x) where x may be 0.
// The factors of two of the aligned columns follow.
Eigen::VectorXd log_features(const std::string& type, std::span<const std::string> columns,
                             std::span<const std::string> aligned, const KernelConfig& config);

}  // namespace ampere
