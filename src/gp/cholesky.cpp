#include "gp/cholesky.h"

#include <limits>

namespace ampere {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Matrix = Eigen::Ref<MatrixXd>;

// Up to this size plain loops beat splitting.
constexpr Index kSmall = 32;

// A pivot under n·ε of the largest variance is rounding error: the factor would exist, but its
// inverse would be noise.
bool factorise_in_place(MatrixXd& matrix, double largest) {
  const double smallest_pivot =
      static_cast<double>(matrix.rows()) * std::numeric_limits<double>::epsilon() * largest;
  const Eigen::LLT<Matrix, Eigen::Lower> factor(matrix);
  return factor.info() == Eigen::Success &&
         matrix.diagonal().array().square().minCoeff() > smallest_pivot;
}

// From the last column on: below its diagonal, column j of L⁻¹ is −C⁻¹ l / L(j, j), with l that
// column of L and C⁻¹ the inverse corner right of it, already there.
void invert_small_lower(Matrix lower) {
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kSmall, 1> column;
  for (Index j = lower.rows() - 1; j >= 0; --j) {
    lower(j, j) = 1 / lower(j, j);
    const Index below = lower.rows() - 1 - j;
    column = -lower(j, j) * lower.col(j).tail(below);
    lower.col(j).tail(below).setZero();
    for (Index k = 0; k < below; ++k) {
      lower.col(j).tail(below - k) += column(k) * lower.col(j + 1 + k).tail(below - k);
    }
  }
}

void square_small_lower(Matrix lower) {
  for (Index j = 0; j < lower.rows(); ++j) {
    for (Index i = j; i < lower.rows(); ++i) {
      const Index below = lower.rows() - i;
      lower(i, j) = lower.col(i).tail(below).dot(lower.col(j).tail(below));
    }
  }
}

}  // namespace

void factorise(MatrixXd& covariance) {
  const MatrixXd original = covariance;
  const double largest = original.diagonal().maxCoeff();
  double jitter = 1e-12 * largest;
  while (!factorise_in_place(covariance, largest)) {
    covariance = original;
    covariance.diagonal().array() += jitter;
    jitter *= 10;
  }
}

// In halves, so that the zeros above the diagonal cost nothing and most work is in products of
// blocks: [A 0; B C]⁻¹ = [A⁻¹ 0; −C⁻¹ B A⁻¹  C⁻¹].
void invert_lower(Matrix lower) {
  if (lower.rows() <= kSmall) return invert_small_lower(lower);
  const Index upper = lower.rows() / 2;
  auto a = lower.topLeftCorner(upper, upper);
  auto b = lower.bottomLeftCorner(lower.rows() - upper, upper);
  auto c = lower.bottomRightCorner(lower.rows() - upper, lower.rows() - upper);
  invert_lower(a);
  invert_lower(c);
  const MatrixXd product = b * a.triangularView<Eigen::Lower>();
  b.noalias() = -(c.triangularView<Eigen::Lower>() * product);
}

// Likewise: [A 0; B C]ᵀ [A 0; B C] = [AᵀA + BᵀB  ·; CᵀB  CᵀC].
void square_lower(Matrix inverse_lower) {
  if (inverse_lower.rows() <= kSmall) return square_small_lower(inverse_lower);
  const Index upper = inverse_lower.rows() / 2;
  auto a = inverse_lower.topLeftCorner(upper, upper);
  auto b = inverse_lower.bottomLeftCorner(inverse_lower.rows() - upper, upper);
  auto c =
      inverse_lower.bottomRightCorner(inverse_lower.rows() - upper, inverse_lower.rows() - upper);
  square_lower(a);
  a.selfadjointView<Eigen::Lower>().rankUpdate(b.transpose());
  const MatrixXd product = c.triangularView<Eigen::Lower>().transpose() * b;
  b = product;
  square_lower(c);
}

double half_log_determinant(const MatrixXd& lower) { return lower.diagonal().array().log().sum(); }

}  // namespace ampere
