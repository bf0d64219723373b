// e^(−s) in a form of which loops are done several numbers at a time.
#pragma once

#include <bit>
#include <cstdint>

namespace ampere {

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

}  // namespace ampere
