// Tasks written by hand.
#pragma once

#include "schedule/schedule.h"

namespace ampere::testing_support {

// One job that takes 10 s at 20 W on each kind, and one device of each kind.
inline Choice simple_choice(std::size_t kind) {
  return {kind, Joules{180}, Joules{200}, Seconds{9}, Seconds{10}, Watts{20}};
}

inline Task simple_task(std::size_t jobs = 1, std::size_t kinds = 1) {
  Task task;
  for (std::size_t kind = 0; kind < kinds; ++kind)
    task.kinds.push_back({"kind" + std::to_string(kind), 1});
  for (std::size_t job = 0; job < jobs; ++job) {
    task.jobs.push_back({"job" + std::to_string(job), {}, {}, {}, {}});
    for (std::size_t kind = 0; kind < kinds; ++kind)
      task.jobs.back().choices.push_back(simple_choice(kind));
  }
  return task;
}

}  // namespace ampere::testing_support
