// What a Gaussian process refuses to be made of.
#pragma once

#include <Eigen/Dense>

namespace ampere {

// Throws Error(failed), naming what is wrong, unless the sizes agree, there is at least one point,
// everything is finite and no noise is negative.
void check_points(const Eigen::MatrixXd& x, const Eigen::VectorXd& y,
                  const Eigen::VectorXd& noise_variance);

}  // namespace ampere
