// Coefficients ≥ 0 that fit sums of terms by their relative errors.
#pragma once

#include <Eigen/Dense>

namespace ampere {

// argmin Σ weight (row·x / target − 1)² over x ≥ 0. Columns may differ by many orders of magnitude;
// one of zeros gets 0. All targets are above 0.
Eigen::VectorXd fit_relative(const Eigen::MatrixXd& rows, const Eigen::VectorXd& targets,
                             const Eigen::VectorXd& weights);

}  // namespace ampere
