// How well a size is aligned.
#pragma once

#include <cstdint>

namespace ampere {

// How often a number can be halved, at most `most` times; `most` for 0 and below, since nothing is
// there to be misaligned.
inline int factors_of_two(std::int64_t number, int most) {
  if (number <= 0) return most;
  int factors = 0;
  for (; number % 2 == 0 && factors < most; number /= 2) ++factors;
  return factors;
}

}  // namespace ampere
