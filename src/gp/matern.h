// The Matérn 5/2 correlation, (1 + s + s²/3) e^(−s) with s = √5 r, and the linear one beside it.
#pragma once

#include <Eigen/Dense>

namespace ampere {

// x with each column multiplied by √5 / length scale, so that plain distances are s.
Eigen::MatrixXd scale_for_matern(const Eigen::MatrixXd& x, const Eigen::VectorXd& length_scales);

// out(i, j) = variance · correlation of row i of a and row j of b, both from scale_for_matern.
void matern_covariance(const Eigen::Ref<const Eigen::MatrixXd>& a, const Eigen::MatrixXd& b,
                       double variance, Eigen::MatrixXd& out);

// In: s². Out: variance · correlation.
void correlate_squares(double* values, Eigen::Index count, double variance);

// 1 + x·x' / columns for row x of a and row x' of b, as they are: the covariance of linear
// functions.
Eigen::MatrixXd trend_products(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

}  // namespace ampere
