// e^(−s) in a form of which loops are done several numbers at a time.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace ampere {

// a b + c. Fused, it is one operation with one rounding, which is faster on processors that have it
// and very slow on others.
template <bool kFused>
[[gnu::always_inline]] inline double times_plus(double a, double b, double c) {
  if constexpr (kFused) return std::fma(a, b, c);
  return a * b + c;
}

// e^(−s), s ≥ 0, to the last digit or two: 2^k e^r with |r| ≤ ln 2 / 2, and e^r by its series. Free
// of branches and calls, so that loops over it are done several numbers at a time.
template <bool kFused = false>
[[gnu::always_inline]] inline double exp_of_minus(double s) {
  constexpr double kRound = 0x1.8p52;  // puts the whole part into the last bits
  constexpr double kPerLn2 = 1.4426950408889634, kLn2High = 0x1.62e42fefap-1,
                   kLn2Low = 0x1.cf79abc9e3b3ap-40;
  const double x = -(s < 700 ? s : 700);
  const double shifted = times_plus<kFused>(x, kPerLn2, kRound), k = shifted - kRound;
  const double r = times_plus<kFused>(k, -kLn2Low, times_plus<kFused>(k, -kLn2High, x));
  double series = 1.0 / 479001600;
  series = times_plus<kFused>(series, r, 1.0 / 39916800);
  series = times_plus<kFused>(series, r, 1.0 / 3628800);
  series = times_plus<kFused>(series, r, 1.0 / 362880);
  series = times_plus<kFused>(series, r, 1.0 / 40320);
  series = times_plus<kFused>(series, r, 1.0 / 5040);
  series = times_plus<kFused>(series, r, 1.0 / 720);
  series = times_plus<kFused>(series, r, 1.0 / 120);
  series = times_plus<kFused>(series, r, 1.0 / 24);
  series = times_plus<kFused>(series, r, 1.0 / 6);
  series = times_plus<kFused>(series, r, 1.0 / 2);
  series = times_plus<kFused>(series, r, 1);
  series = times_plus<kFused>(series, r, 1);
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(series) +
                               (std::bit_cast<std::uint64_t>(shifted) << 52));
}

}  // namespace ampere
