// Whole numbers drawn alike everywhere.
#pragma once

#include <cstdint>
#include <random>

namespace ampere {

// Not std::uniform_int_distribution: its results differ between standard libraries, and equal seeds
// must give equal networks everywhere.
inline std::int64_t draw_number(std::mt19937_64& random, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
}

}  // namespace ampere
