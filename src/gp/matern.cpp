#include "gp/matern.h"

#include <cmath>

#include "gp/eight_at_a_time.h"
#include "gp/exp_of_minus.h"

namespace ampere {
namespace {

// In: s². Out: the covariance.
[[gnu::always_inline]] inline void correlate_each(double* values, Eigen::Index count,
                                                  double variance) {
  for (Eigen::Index i = 0; i < count; ++i) {
    const double squares = values[i], s = std::sqrt(squares);
    values[i] = variance * (1.0 + s + squares * (1.0 / 3.0)) * exp_of_minus(s);
  }
}

using Correlate = void (*)(double*, Eigen::Index, double);

void correlate_plainly(double* values, Eigen::Index count, double variance) {
  correlate_each(values, count, variance);
}

// The same operations in the same order, four or eight numbers at a time: equal to the last bit.
#if defined(__x86_64__)
[[gnu::target(AMPERE_EIGHT_AT_A_TIME)]] void correlate_by_eight(double* values, Eigen::Index count,
                                                                double variance) {
  correlate_each(values, count, variance);
}
[[gnu::target("avx2")]] void correlate_by_four(double* values, Eigen::Index count,
                                               double variance) {
  correlate_each(values, count, variance);
}
Correlate fastest() {
  if (has_eight_at_a_time()) return correlate_by_eight;
  return __builtin_cpu_supports("avx2") ? correlate_by_four : correlate_plainly;
}
#else
Correlate fastest() { return correlate_plainly; }
#endif

}  // namespace

Eigen::MatrixXd scale_for_matern(const Eigen::MatrixXd& x, const Eigen::VectorXd& length_scales) {
  return x * (std::sqrt(5.0) * length_scales.cwiseInverse()).asDiagonal();
}

void correlate_squares(double* values, Eigen::Index count, double variance) {
  static const Correlate correlate = fastest();
  correlate(values, count, variance);
}

// Down the columns of `out`, which are contiguous: differences before squares, since the expanded
// |a|² − 2ab + |b|² loses near points.
void matern_covariance(const Eigen::Ref<const Eigen::MatrixXd>& a, const Eigen::MatrixXd& b,
                       double variance, Eigen::MatrixXd& out) {
  out.resize(a.rows(), b.rows());
  for (Eigen::Index j = 0; j < b.rows(); ++j) {
    auto squares = out.col(j).array();
    squares.setZero();
    for (Eigen::Index d = 0; d < b.cols(); ++d) squares += (a.col(d).array() - b(j, d)).square();
  }
  correlate_squares(out.data(), out.size(), variance);
}

Eigen::MatrixXd trend_products(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  const double columns = a.cols() > 0 ? static_cast<double>(a.cols()) : 1;
  Eigen::MatrixXd products = a * b.transpose() / columns;
  products.array() += 1;
  return products;
}

}  // namespace ampere
