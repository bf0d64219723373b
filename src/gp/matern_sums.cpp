#include "gp/matern_sums.h"

#include <cmath>

#include "gp/exp_of_minus.h"

namespace ampere {
namespace {

constexpr Eigen::Index kLanes = 8;

// terms[i] = weight i · correlation of row i and `at`.
[[gnu::always_inline]] inline void correlate_rows(const Eigen::ArrayXXd& rows,
                                                  const double* weights, const double* at,
                                                  double* terms) {
  const Eigen::Index count = rows.rows();
  const double* first = rows.data();
  for (Eigen::Index i = 0; i < count; ++i) terms[i] = (first[i] - at[0]) * (first[i] - at[0]);
  for (Eigen::Index column = 1; column < rows.cols(); ++column) {
    const double *values = first + column * count, own = at[column];
    for (Eigen::Index i = 0; i < count; ++i) terms[i] += (values[i] - own) * (values[i] - own);
  }
  for (Eigen::Index i = 0; i < count; ++i) {
    const double squares = terms[i], s = std::sqrt(squares);
    terms[i] = weights[i] * ((1.0 + s + squares * (1.0 / 3.0)) * exp_of_minus(s));
  }
}

using CorrelateRows = void (*)(const Eigen::ArrayXXd&, const double*, const double*, double*);

void rows_plainly(const Eigen::ArrayXXd& rows, const double* weights, const double* at,
                  double* terms) {
  correlate_rows(rows, weights, at, terms);
}

// The same operations in the same order, four or eight numbers at a time: equal to the last bit.
#if defined(__x86_64__)
// clang takes no wish for a width there.
#ifdef __clang__
#define AMPERE_EIGHT_AT_A_TIME "avx512f,avx512dq"
#else
#define AMPERE_EIGHT_AT_A_TIME "avx512f,avx512dq,prefer-vector-width=512"
#endif

[[gnu::target("avx2")]] void rows_by_four(const Eigen::ArrayXXd& rows, const double* weights,
                                          const double* at, double* terms) {
  correlate_rows(rows, weights, at, terms);
}
[[gnu::target(AMPERE_EIGHT_AT_A_TIME)]] void rows_by_eight(const Eigen::ArrayXXd& rows,
                                                           const double* weights, const double* at,
                                                           double* terms) {
  correlate_rows(rows, weights, at, terms);
}
CorrelateRows fastest_for_rows() {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return rows_by_eight;
  return __builtin_cpu_supports("avx2") ? rows_by_four : rows_plainly;
}
#else
CorrelateRows fastest_for_rows() { return rows_plainly; }
#endif

// In one order on every processor.
double lane_sum(const double* terms, Eigen::Index count) {
  double lanes[kLanes] = {};
  for (Eigen::Index i = 0; i < count; i += kLanes)
    for (Eigen::Index lane = 0; lane < kLanes; ++lane) lanes[lane] += terms[i + lane];
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
         ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

}  // namespace

MaternSums::MaternSums(const Eigen::MatrixXd& x, const Eigen::VectorXd& weights,
                       std::span<const Eigen::Index> ends) {
  std::vector<Eigen::Index> source;  // −1: to fill up
  Eigen::Index first = 0;
  for (const Eigen::Index end : ends) {
    for (; first < end; ++first) source.push_back(first);
    while (source.size() % kLanes != 0) source.push_back(-1);
    ends_.push_back(static_cast<Eigen::Index>(source.size()));
  }
  const auto count = static_cast<Eigen::Index>(source.size());
  rows_.setZero(count, x.cols()), weights_.setZero(count), terms_.resize(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Eigen::Index from = source[static_cast<std::size_t>(i)];
    if (from < 0) continue;
    rows_.row(i) = x.row(from).array();
    weights_[i] = weights[from];
  }
}

void MaternSums::operator()(const double* at, double variance, double* sums) {
  static const CorrelateRows correlate = fastest_for_rows();
  if (terms_.size() == 0) return;
  correlate(rows_, weights_.data(), at, terms_.data());
  Eigen::Index first = 0;
  for (std::size_t group = 0; group < ends_.size(); ++group) {
    sums[group] = variance * lane_sum(terms_.data() + first, ends_[group] - first);
    first = ends_[group];
  }
}

}  // namespace ampere
