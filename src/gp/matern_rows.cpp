#include "gp/matern_rows.h"

#include <cmath>

#include "gp/eight_at_a_time.h"
#include "gp/exp_of_minus.h"

namespace ampere {
namespace {

using Eigen::Index;

// In two loops: every number waits for a long chain of operations, and shorter chains leave the
// processor more numbers to work on meanwhile.
template <bool kFused>
[[gnu::always_inline]] inline void add_correlations(const double* rows, Index count,
                                                    const double* at, double factor,
                                                    double* distances, double* sums) {
  for (Index i = 0; i < count; ++i) {
    double squares = 0;
    for (Index column = 0; column < MaternRows::kColumns; ++column) {
      const double difference = rows[column * count + i] - at[column];
      squares = times_plus<kFused>(difference, difference, squares);
    }
    distances[i] = std::sqrt(squares);
  }
  for (Index i = 0; i < count; ++i) {
    const double s = distances[i];
    const double factors = times_plus<kFused>(times_plus<kFused>(s, 1.0 / 3.0, 1.0), s, 1.0);
    sums[i] = times_plus<kFused>(factor, factors * exp_of_minus<kFused>(s), sums[i]);
  }
}

using AddCorrelations = void (*)(const double*, Index, const double*, double, double*, double*);

#ifdef __FP_FAST_FMA
constexpr bool kAlwaysFused = true;
#else
constexpr bool kAlwaysFused = false;
#endif

void add_plainly(const double* rows, Index count, const double* at, double factor,
                 double* distances, double* sums) {
  add_correlations<kAlwaysFused>(rows, count, at, factor, distances, sums);
}

// Four or eight numbers at a time, equal to each other to the last bit.
#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void add_by_four(const double* rows, Index count, const double* at,
                                             double factor, double* distances, double* sums) {
  add_correlations<true>(rows, count, at, factor, distances, sums);
}
[[gnu::target(AMPERE_EIGHT_AT_A_TIME)]] void add_by_eight(const double* rows, Index count,
                                                          const double* at, double factor,
                                                          double* distances, double* sums) {
  add_correlations<true>(rows, count, at, factor, distances, sums);
}
AddCorrelations fastest_add() {
  if (has_eight_at_a_time()) return add_by_eight;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? add_by_four
                                                                         : add_plainly;
}
#else
AddCorrelations fastest_add() { return add_plainly; }
#endif

}  // namespace

MaternRows::MaternRows(Index count) : count_(count) {
  const Index filled = filled_up(count);
  rows_.setZero(filled, kColumns), distances_.setZero(filled), sums_.setZero(filled);
}

void MaternRows::add(const Point& at, double factor) {
  static const AddCorrelations fastest = fastest_add();
  fastest(rows_.data(), sums_.size(), at.data(), factor, distances_.data(), sums_.data());
}

}  // namespace ampere
