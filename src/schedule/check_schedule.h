// Verifies schedules independently of how they were made.
#pragma once

#include <string>
#include <vector>

#include "schedule/schedule.h"

namespace ampere {

// What is wrong with a schedule: one sentence per fault, empty if it keeps every constraint at
// every moment and its sums are right. Takes O(n log n) for n jobs. Times and sums may be off by
// one part in 10^9.
std::vector<std::string> check_schedule(const Task& task, const Schedule& schedule);

}  // namespace ampere
