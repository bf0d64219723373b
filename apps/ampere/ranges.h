// Which numbers an option takes. CLI11 alone reads empty text as 0, and nan, inf and what is too
// large for the type as numbers. A refused value names the option and the range:
// "--iterations: 0 is not between 1 and 1000000000000".
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "setup/asked_setup.h"

namespace ampere {

using ValueCheck = std::function<std::string(const std::string&)>;  // for CLI::Option::check

inline constexpr std::int64_t kMostEpochs = 1'000'000;  // times samples, still a 64-bit number
inline constexpr std::int64_t kMostCount = 100'000;     // of networks, timings, kernels
inline constexpr double kMostSeconds = 1e9;

ValueCheck whole_from_to(std::int64_t least, std::int64_t most);
ValueCheck number_from_to(double least, double most);
ValueCheck number_above_to(double excluded, double most);
ValueCheck share();  // between 0 and 1, both excluded

}  // namespace ampere
