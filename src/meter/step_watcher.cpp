#include "meter/step_watcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "ampere/error.h"
#include "base/stats.h"
#include "meter/ticker.h"

namespace ampere {
namespace {

constexpr int kStepsForPeriod = 5;
constexpr Seconds kFinestPoll{0.0005};
constexpr Seconds kNoPatienceLimit{1e9};

// A step comes a period after the last one: sleep through most of it, then look often.
constexpr double kAsleep = 0.7;
constexpr double kPollsPerPeriod = 50;

}  // namespace

StepWatcher::StepWatcher(std::string name, ReadCounter read, Seconds patience)
    : name_(std::move(name)), read_(std::move(read)) {
  find_period(patience);
  thread_ = std::thread([this] { watch(); });
}

StepWatcher::~StepWatcher() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

CounterStep StepWatcher::last() const {
  const std::scoped_lock lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
  return last_;
}

// Returns `after` itself when the watcher is stopping or `give_up` has come.
CounterStep StepWatcher::next_step(const CounterStep& after, Seconds give_up) {
  const Seconds poll = std::max(kFinestPoll, period_ / kPollsPerPeriod);
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      if (wake_.wait_for(lock, poll, [this] { return stopping_; })) return after;
    }
    const Joules energy = read_();
    const Seconds now = steady_now();
    if (energy < after.energy)
      throw Error(ErrorCode::failed,
                  fmt::format("{}: the energy counter went down from {} J to {} J (the device was "
                              "reset); open it again",
                              name_, after.energy.value, energy.value));
    if (energy > after.energy) return {now, energy};
    if (now > give_up) return after;
  }
}

void StepWatcher::find_period(Seconds patience) {
  const Seconds give_up = steady_now() + patience;
  CounterStep step{steady_now(), read_()};
  std::vector<double> intervals;
  for (int seen = 0; seen < kStepsForPeriod; ++seen) {
    const CounterStep next = next_step(step, give_up);
    if (next.energy == step.energy)
      throw Error(ErrorCode::no_meter,
                  fmt::format("{}: the energy counter moved {} times in {} s; it cannot be used",
                              name_, seen, patience.count()));
    if (seen > 0) intervals.push_back((next.time - step.time).count());
    step = next;
  }
  period_ = Seconds{median(intervals)};
  last_ = step;
}

void StepWatcher::watch() {
  try {
    CounterStep step = last_;
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        if (wake_.wait_for(lock, period_ * kAsleep, [this] { return stopping_; })) return;
      }
      step = next_step(step, kNoPatienceLimit);
      const std::scoped_lock lock(mutex_);
      if (stopping_) return;
      last_ = step;
    }
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    failure_ = std::current_exception();
  }
}

}  // namespace ampere
