#include "rig/calm.h"

#include <algorithm>

namespace ampere {
namespace {

constexpr Seconds kLook{0.5};
constexpr double kCalm = 0.1;  // processors that others may use

// Processor time that was not this process's.
std::optional<Seconds> others(Clock& clock) {
  const auto busy = clock.busy_time(), own = clock.cpu_time();
  if (!busy || !own) return std::nullopt;
  return *busy - *own + clock.steal_time().value_or(Seconds{0});
}

}  // namespace

bool wait_for_calm(Clock& clock, Seconds at_most) {
  const Seconds end = clock.now() + at_most;
  do {
    const Seconds begin = clock.now();
    const auto before = others(clock);
    if (!before) return true;
    clock.sleep(kLook);
    const Seconds used = others(clock).value_or(*before) - *before;
    if (used <= kCalm * (clock.now() - begin)) return true;
  } while (clock.now() < end);
  return false;
}

}  // namespace ampere
