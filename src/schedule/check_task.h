// Refuses tasks that make no sense, before anything is computed from them.
#pragma once

#include "schedule/schedule.h"

namespace ampere {

// Throws Error(usage) naming the job, the kind or the field: nothing to place or nowhere to place
// it, numbers that are not finite or out of range, kinds that do not exist, forecasts out of order.
void check_task(const Task& task);

}  // namespace ampere
