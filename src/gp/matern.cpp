#include "gp/matern.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace ampere {
namespace {

// e^(−s), s ≥ 0, to the last digit or two: 2^k e^r with |r| ≤ ln 2 / 2, and e^r by its series. Free
// of branches and calls, so that loops over it are done several numbers at a time.
[[gnu::always_inline]] inline double exp_of_minus(double s) {
  constexpr double kRound = 0x1.8p52;  // puts the whole part into the last bits
  constexpr double kPerLn2 = 1.4426950408889634, kLn2High = 0x1.62e42fefap-1,
                   kLn2Low = 0x1.cf79abc9e3b3ap-40;
  const double x = -(s < 700 ? s : 700);
  const double shifted = x * kPerLn2 + kRound, k = shifted - kRound;
  const double r = (x - k * kLn2High) - k * kLn2Low;
  double series = 1.0 / 479001600;
  series = series * r + 1.0 / 39916800;
  series = series * r + 1.0 / 3628800;
  series = series * r + 1.0 / 362880;
  series = series * r + 1.0 / 40320;
  series = series * r + 1.0 / 5040;
  series = series * r + 1.0 / 720;
  series = series * r + 1.0 / 120;
  series = series * r + 1.0 / 24;
  series = series * r + 1.0 / 6;
  series = series * r + 1.0 / 2;
  series = series * r + 1;
  series = series * r + 1;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(series) +
                               (std::bit_cast<std::uint64_t>(shifted) << 52));
}

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

// The same operations in the same order, four numbers at a time: equal to the last bit.
#if defined(__x86_64__)
[[gnu::target("avx2")]] void correlate_by_four(double* values, Eigen::Index count,
                                               double variance) {
  correlate_each(values, count, variance);
}
Correlate fastest() {
  return __builtin_cpu_supports("avx2") ? correlate_by_four : correlate_plainly;
}
#else
Correlate fastest() { return correlate_plainly; }
#endif

}  // namespace

Eigen::MatrixXd scale_for_matern(const Eigen::MatrixXd& x, const Eigen::VectorXd& length_scales) {
  return x * (std::sqrt(5.0) * length_scales.cwiseInverse()).asDiagonal();
}

// Down the columns of `out`, which are contiguous: differences before squares, since the expanded
// |a|² − 2ab + |b|² loses near points.
void matern_covariance(const Eigen::Ref<const Eigen::MatrixXd>& a, const Eigen::MatrixXd& b,
                       double variance, Eigen::MatrixXd& out) {
  static const Correlate correlate = fastest();
  out.resize(a.rows(), b.rows());
  for (Eigen::Index j = 0; j < b.rows(); ++j) {
    auto squares = out.col(j).array();
    squares.setZero();
    for (Eigen::Index d = 0; d < b.cols(); ++d) squares += (a.col(d).array() - b(j, d)).square();
  }
  correlate(out.data(), out.size(), variance);
}

Eigen::MatrixXd trend_products(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  const double columns = a.cols() > 0 ? static_cast<double>(a.cols()) : 1;
  Eigen::MatrixXd products = a * b.transpose() / columns;
  products.array() += 1;
  return products;
}

}  // namespace ampere
