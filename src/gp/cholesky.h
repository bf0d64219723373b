// Cholesky factors of covariance matrices, singular ones included, and their inverses. Everything
// works in place on the lower triangle of a square matrix; above the diagonal nothing is read or
// written.
#pragma once

#include <Eigen/Dense>

namespace ampere {

// Covariance → its Cholesky factor L. A matrix that is singular in double precision (repeated
// points without noise) gets the smallest of 1e-12, 1e-11, … times its largest variance added to
// its diagonal that makes it regular. The diagonal must be finite and not all zero.
void factorise(Eigen::MatrixXd& covariance);

// L → L⁻¹.
void invert_lower(Eigen::Ref<Eigen::MatrixXd> lower);

// L⁻¹ → L⁻ᵀ L⁻¹, the inverse of the covariance.
void square_lower(Eigen::Ref<Eigen::MatrixXd> inverse_lower);

// Σ log of the diagonal of L: half the log-determinant of the covariance.
double half_log_determinant(const Eigen::MatrixXd& lower);

}  // namespace ampere
