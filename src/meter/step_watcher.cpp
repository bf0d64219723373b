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

// A step comes a period after the last one: sleep through most of it, then look often, beginning
// this part of a period before it is due. As long as steps are punctual the part shrinks, so that
// few looks are needed; once one was there before the first look, and so came at no known moment,
// it doubles.
constexpr double kPollsPerPeriod = 50;
constexpr double kLongestWatch = 0.3, kShortestWatch = 2 / kPollsPerPeriod, kShrink = 0.9;

// A step that is late by this many periods may be long in coming: no hurry any more.
constexpr double kLate = 2, kPollsWhenLate = 5;

double adapted(double watch, int looks) {
  return std::clamp(looks <= 1 ? 2 * watch : kShrink * watch, kShortestWatch, kLongestWatch);
}

}  // namespace

StepWatcher::StepWatcher(std::string name, ReadCounter read, Seconds patience)
    : name_(std::move(name)), read_(std::move(read)), patience_(patience) {
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

bool StepWatcher::sleep(Seconds time) {
  std::unique_lock lock(mutex_);
  return !wake_.wait_for(lock, time, [this] { return stopping_; });
}

// Returns `after` itself when the watcher is stopping or `give_up` has come.
StepWatcher::Sighting StepWatcher::next_step(const CounterStep& after, Seconds give_up) {
  const Seconds poll = std::max(kFinestPoll, period_ / kPollsPerPeriod);
  Seconds now = steady_now();
  for (int looks = 1;; ++looks) {
    const Joules energy = read_();
    now = steady_now();
    if (energy < after.energy)
      throw Error(ErrorCode::failed,
                  fmt::format("{}: the energy counter went down from {} J to {} J (the device was "
                              "reset); open it again",
                              name_, after.energy.value, energy.value));
    if (energy > after.energy) return {{now, energy}, looks};
    if (now > give_up) return {after, looks};
    const bool late = period_.count() > 0 && now - after.time > kLate * period_;
    if (!sleep(late ? std::max(poll, period_ / kPollsWhenLate) : poll)) return {after, looks};
  }
}

void StepWatcher::find_period(Seconds patience) {
  const Seconds give_up = steady_now() + patience;
  CounterStep step{steady_now(), read_()};
  std::vector<double> intervals;
  for (int seen = 0; seen < kStepsForPeriod; ++seen) {
    const CounterStep next = next_step(step, give_up).step;
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
    double watch = kLongestWatch;
    for (;;) {
      const Seconds due = step.time + period_ * (1 - watch);
      if (!sleep(due - steady_now())) return;
      const Sighting seen = next_step(step, step.time + period_ + patience_);
      const std::scoped_lock lock(mutex_);
      if (stopping_) return;
      if (seen.step.energy == step.energy)
        throw Error(ErrorCode::failed,
                    fmt::format("{}: the energy counter stands still since {:.3g} s (is the driver "
                                "gone?); open it again",
                                name_, (steady_now() - step.time).count()));
      watch = adapted(watch, seen.looks);
      last_ = step = seen.step;
    }
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    failure_ = std::current_exception();
  }
}

}  // namespace ampere
