#include "model/checked.h"

#include <fmt/format.h>

#include "ampere/error.h"

namespace ampere {
namespace {

[[noreturn]] void overflowed() {
  throw Error(ErrorCode::usage, "the network is too large to be counted in 64 bits");
}

}  // namespace

std::int64_t product(std::initializer_list<std::int64_t> factors) {
  std::int64_t result = 1;
  for (const std::int64_t factor : factors)
    if (__builtin_mul_overflow(result, factor, &result)) overflowed();
  return result;
}

std::int64_t size_of(const std::vector<std::int64_t>& lengths) {
  std::int64_t size = 1;
  for (const std::int64_t length : lengths) size = product({size, length});
  return size;
}

std::int64_t sum(std::initializer_list<std::int64_t> terms) {
  std::int64_t result = 0;
  for (const std::int64_t term : terms)
    if (__builtin_add_overflow(result, term, &result)) overflowed();
  return result;
}

void check_range(const std::string& what, std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value < low || value > high)
    throw Error(ErrorCode::usage,
                fmt::format("{} must be from {} to {}, not {}", what, low, high, value));
}

}  // namespace ampere
