// Tasks drawn at random, equal for equal seeds.
#pragma once

#include <cstdint>

#include "schedule/schedule.h"

namespace ampere::testing_support {

struct TaskShape {
  std::size_t jobs = 5, kinds = 3;
  std::int64_t devices = 2;  // per kind, about
  bool deadlines = false;    // about half of the jobs have one that leaves little room
  bool releases = false;     // some jobs may begin only later
  bool cap = false;          // a bit more than half of what all devices could draw
  bool budget = false;       // tighter than what the fastest kinds would use
  bool forecast = false;     // two days of hours with a night and a day
  Objective objective = Objective::energy;
  Start start = Start::earliest;
};

Task random_task(const TaskShape& shape, std::uint64_t seed);

}  // namespace ampere::testing_support
