// Joules as the ledger keeps them: whole millijoules.
#pragma once

#include <cstdint>
#include <string>

#include "ampere/units.h"

namespace ampere {

// 1 TJ. Every amount up to it survives the way to joules and back.
inline constexpr std::int64_t kMostMillijoules = 1'000'000'000'000'000;

// Both throw Error(usage) that begins with `what` when the amount is not a number or above 1 TJ;
// the second one also when it is negative.
std::int64_t nearest_mj(Joules amount, const std::string& what);  // of either sign
std::int64_t mj_rounded_up(Joules amount, const std::string& what);

inline Joules from_mj(std::int64_t amount_mj) { return {static_cast<double>(amount_mj) / 1000}; }

// The sum, or the largest number there is.
std::int64_t added_mj(std::int64_t a_mj, std::int64_t b_mj);

std::string mj_text(std::int64_t amount_mj);  // "12.345 J": never rounded

}  // namespace ampere
