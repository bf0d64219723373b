// When lists of jobs are read and planned in tests.
#pragma once

#include <chrono>

namespace ampere::testing_support {

inline constexpr std::chrono::sys_seconds kNow{
    std::chrono::seconds(1'800'000'000)};  // 2027-01-15T08:00Z

}  // namespace ampere::testing_support
