// Makes plans from nothing.
#pragma once

#include <optional>
#include <string>

#include "schedule/builder.h"

namespace ampere {

enum class Order {
  deadline,  // earliest deadline first
  length,    // longest first
  loss,      // first who loses most if its favourite place is taken
};

struct ConstructedSchedule {
  std::optional<Plan> plan;
  std::size_t stuck = 0;  // the job for which no place was left last, if there is no plan
};

// Inserts all jobs in this order. When one finds no place, it goes to the front and everything
// starts again, at most `repeats` times.
ConstructedSchedule construct(const Problem& problem, const PriceList& prices, const Rules& rules,
                              Order order, int repeats, StopToken stop);

// The same plan with every job as early as the others permit: no job begins later than before.
Plan begin_early(const Problem& problem, const Plan& plan);

}  // namespace ampere
