// Least squares with coefficients that are not negative.
#pragma once

#include <Eigen/Dense>

namespace ampere {

// argmin |A x − b|² + Σ ridge_j (x_j − prior_j)² over x ≥ 0. A column of zeros without ridge gets
// 0.
Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& a, const Eigen::VectorXd& b,
                                          const Eigen::VectorXd& ridge,
                                          const Eigen::VectorXd& prior);

}  // namespace ampere
