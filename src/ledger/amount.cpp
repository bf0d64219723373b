#include "ledger/amount.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ampere/error.h"

namespace ampere {
namespace {

double checked_mj(Joules amount, const std::string& what) {
  if (!std::isfinite(amount.value))
    throw Error(ErrorCode::usage,
                fmt::format("{}: {} is not an amount of energy", what, amount.value));
  const double amount_mj = amount.value * 1000;
  if (std::abs(amount_mj) > static_cast<double>(kMostMillijoules))
    throw Error(ErrorCode::usage,
                fmt::format("{}: {:.6g} J is more than an account can hold, which is 1 TJ", what,
                            amount.value));
  return amount_mj;
}

}  // namespace

std::int64_t nearest_mj(Joules amount, const std::string& what) {
  return std::llround(checked_mj(amount, what));
}

// A whole number of millijoules that became joules is up to an ulp away from itself.
std::int64_t mj_rounded_up(Joules amount, const std::string& what) {
  if (amount.value < 0)
    throw Error(ErrorCode::usage, fmt::format("{}: {} J is negative", what, amount.value));
  const double amount_mj = checked_mj(amount, what);
  const double near = std::round(amount_mj);
  const double tolerance = std::max(1e-6, 4e-16 * amount_mj);
  return static_cast<std::int64_t>(near >= amount_mj - tolerance ? near : near + 1);
}

std::int64_t added_mj(std::int64_t a_mj, std::int64_t b_mj) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a_mj, b_mj, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

std::string mj_text(std::int64_t amount_mj) {
  const char* sign = amount_mj < 0 ? "-" : "";
  const auto size = static_cast<std::uint64_t>(std::abs(amount_mj));
  std::string text = fmt::format("{}{}.{:03}", sign, size / 1000, size % 1000);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text + " J";
}

}  // namespace ampere
