// Linear regression that keeps few terms: the Lasso, its penalty chosen by cross-validation.
#pragma once

#include <Eigen/Dense>

namespace ampere {

struct LinearModel {
  Eigen::VectorXd coefficients;
  double intercept = 0;
  double predict(const Eigen::VectorXd& x) const { return intercept + x.dot(coefficients); }
};

// Minimises |y − Xw − b|²/2n + α·Σ|w_j| over columns scaled to unit variance (columns that do not
// vary get no weight). Of 100 penalties from the smallest that keeps no term down to a thousandth
// of it, α has the least squared error over `folds` folds of consecutive rows. With fewer than 4
// rows nothing can be chosen, and the mean is all there is.
LinearModel fit_lasso(const Eigen::MatrixXd& x, const Eigen::VectorXd& y, int folds = 10);

}  // namespace ampere
