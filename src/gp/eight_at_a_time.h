// Loops that are done eight numbers at a time on processors that can.
#pragma once

#include <cstddef>

namespace ampere {

// So many numbers are put aside for `count`, so that none is left over to be done alone.
constexpr std::ptrdiff_t filled_up(std::ptrdiff_t count) { return (count + 7) / 8 * 8; }

}  // namespace ampere

#if defined(__x86_64__)

// For gnu::target. clang takes no wish for a width there.
#ifdef __clang__
#define AMPERE_EIGHT_AT_A_TIME "avx512f,avx512dq"
#else
#define AMPERE_EIGHT_AT_A_TIME "avx512f,avx512dq,prefer-vector-width=512"
#endif

namespace ampere {

inline bool has_eight_at_a_time() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
}

}  // namespace ampere

#endif
