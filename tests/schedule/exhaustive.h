// The best schedule of a tiny task, by trying everything.
#pragma once

#include <optional>

#include "schedule/schedule.h"

namespace ampere::testing_support {

// The smallest possible value of the objective energy or time; nothing if no schedule keeps all
// constraints. Tries all orders and options with each job as early as it can: for these objectives
// some best schedule is among them.
std::optional<double> best_value(const Task& task);

}  // namespace ampere::testing_support
