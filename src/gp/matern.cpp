#include "gp/matern.h"

#include <cmath>

namespace ampere {

Eigen::MatrixXd scale_for_matern(const Eigen::MatrixXd& x, const Eigen::VectorXd& length_scales) {
  return x * (std::sqrt(5.0) * length_scales.cwiseInverse()).asDiagonal();
}

// Down the columns of `out`, which are contiguous: differences before squares, since the expanded
// |a|² − 2ab + |b|² loses near points.
void matern_covariance(const Eigen::Ref<const Eigen::MatrixXd>& a, const Eigen::MatrixXd& b,
                       double variance, Eigen::MatrixXd& out) {
  out.resize(a.rows(), b.rows());
  Eigen::ArrayXd squares(a.rows()), s(a.rows());
  for (Eigen::Index j = 0; j < b.rows(); ++j) {
    squares.setZero();
    for (Eigen::Index d = 0; d < b.cols(); ++d) squares += (a.col(d).array() - b(j, d)).square();
    s = squares.sqrt();
    out.col(j).array() = variance * (1.0 + s + squares * (1.0 / 3.0)) * (-s).exp();
  }
}

}  // namespace ampere
