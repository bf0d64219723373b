// Marks in a power trace that was taken by another clock: a pattern of load that hardly anything
// else makes, and where it is in the trace.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "ampere/units.h"

namespace ampere {

struct Pulse {
  Seconds begin{}, end{};  // of our monotonic clock: the load was on between them
};

// Makes the pattern (this takes as long as it lasts) and says when it did.
using PulseEmitter = std::function<std::vector<Pulse>()>;

// Six pulses in about `length`, all cores busy.
std::vector<Pulse> emit_cpu_pulses(Seconds length = Seconds{3});

// A stretch of a trace, at a step of a millisecond where it has more.
class PulseTrace {
 public:
  void add(Seconds time, Watts power);  // forgets what is older than half a minute

  struct Sample {
    Seconds time{};
    double watts = 0;
    int count = 0;
  };
  const std::deque<Sample>& samples() const { return samples_; }

 private:
  std::deque<Sample> samples_;
};

struct PulseMatch {
  Seconds offset{};      // our clock less the trace's
  double score = 0;      // correlation of power and pattern, 1 at best
  double runner_up = 0;  // the best elsewhere
};

// Throws Error(no_meter) with the scores when the pattern is not clearly in the trace.
PulseMatch find_pulses(const PulseTrace& trace, const std::vector<Pulse>& pulses);

}  // namespace ampere
