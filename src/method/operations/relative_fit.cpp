#include "method/operations/relative_fit.h"

#include "base/nonnegative.h"

namespace ampere {

Eigen::VectorXd fit_relative(const Eigen::MatrixXd& rows, const Eigen::VectorXd& targets,
                             const Eigen::VectorXd& weights) {
  constexpr double kLeastRidge = 1e-9;  // for columns that are multiples of each other
  const Eigen::VectorXd roots = weights.cwiseSqrt();
  const Eigen::MatrixXd relative = roots.cwiseQuotient(targets).asDiagonal() * rows;
  // Columns of one size: FLOPs and seconds are many orders apart.
  Eigen::VectorXd scale = relative.colwise().norm();
  for (double& column : scale) column = column > 0 ? column : 1;
  return nonnegative_least_squares(relative * scale.cwiseInverse().asDiagonal(), roots,
                                   Eigen::VectorXd::Constant(rows.cols(), kLeastRidge),
                                   Eigen::VectorXd::Zero(rows.cols()))
      .cwiseQuotient(scale);
}

}  // namespace ampere
