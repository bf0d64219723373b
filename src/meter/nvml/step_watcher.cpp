#include "meter/nvml/step_watcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "ampere/error.h"
#include "base/stats.h"
#include "base/steady_now.h"

namespace ampere {
namespace {

constexpr int kStepsForPeriod = 5;
constexpr Seconds kRest{1};     // between looks nobody asked for
constexpr double kFresh = 1.2;  // periods since the last look

// Watching for a step: from a little before it is due, this often.
constexpr Seconds kFinestPoll{0.0005};
constexpr double kPollsPerPeriod = 50;
constexpr double kWatchFrom = 0.9, kAwait = 3;  // periods

// Looking between steps: well after one, and far enough from both that the value is surely of it.
constexpr double kLookAt = 0.3, kFromStep = 0.1, kToStep = 0.95;
constexpr Seconds kShortestLocked{0.004};  // below, threads do not wake up punctually enough

}  // namespace

StepWatcher::StepWatcher(std::string name, ReadCounter read, Seconds patience)
    : name_(std::move(name)), read_(std::move(read)), patience_(patience) {
  find_period();
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
  std::unique_lock lock(mutex_);
  const Seconds now = steady_now();
  const auto fresh = [&] { return failure_ || now - looked_ < kFresh * period_; };
  if (!fresh()) {
    asked_ = true;
    wake_.notify_all();
    wake_.wait_for(lock, patience_, fresh);
  }
  if (failure_) std::rethrow_exception(failure_);
  return last_;
}

void StepWatcher::attend(bool on) {
  const std::scoped_lock lock(mutex_);
  attending_ += on ? 1 : -1;
  wake_.notify_all();
}

bool StepWatcher::sleep(Seconds time) {
  std::unique_lock lock(mutex_);
  return !wake_.wait_for(lock, time, [this] { return stopping_; });
}

bool StepWatcher::wait_until_asked() {
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, kRest, [this] { return stopping_ || asked_ || attending_ > 0; });
  return !stopping_;
}

Joules StepWatcher::checked(Joules now) {
  if (now < last_.energy)
    throw Error(ErrorCode::failed,
                fmt::format("{}: the energy counter went down from {} J to {} J (the device was "
                            "reset); open it again",
                            name_, last_.energy.value, now.value));
  return now;
}

// The step after `after`, stamped when it is seen. Returns `after` itself when the watcher is
// stopping or `give_up` has come.
CounterStep StepWatcher::observe_step(const CounterStep& after, Seconds give_up) {
  const Seconds poll = std::max(kFinestPoll, period_ / kPollsPerPeriod);
  for (;;) {
    const Joules energy = checked(read_());
    const Seconds now = steady_now();
    if (energy > after.energy) return {now, energy};
    if (now > give_up || !sleep(poll)) return after;
  }
}

void StepWatcher::find_period() {
  const Seconds give_up = steady_now() + patience_;
  last_ = {steady_now(), read_()};
  std::vector<double> intervals;
  for (int seen = 0; seen < kStepsForPeriod; ++seen) {
    const CounterStep next = observe_step(last_, give_up);
    if (next.energy == last_.energy)
      throw Error(ErrorCode::no_meter,
                  fmt::format("{}: the energy counter moved {} times in {} s; it cannot be used",
                              name_, seen, patience_.count()));
    if (seen > 0) intervals.push_back((next.time - last_.time).count());
    last_ = next;
  }
  period_ = Seconds{median(intervals)};
  looked_ = last_.time;
  clock_ = StepClock(last_.time, period_);
}

void StepWatcher::watch() try {
  bool regular = period_ >= kShortestLocked;
  while (wait_until_asked()) {
    const Seconds now = steady_now();
    if (regular && !clock_.is_due(now))
      look_between_steps();
    else if (!regular)
      look_for_step(last_.time + period_);
    else if (look_for_step(clock_.time_of(clock_.index_at(now) + 1)))
      regular = clock_.correct(last_.time);
  }
} catch (...) {
  const std::scoped_lock lock(mutex_);
  failure_ = std::current_exception();
  wake_.notify_all();
}

// One look for each step at most: what is asked for again before the next one waits for it.
void StepWatcher::look_between_steps() {
  const Seconds now = steady_now();
  const std::int64_t known = clock_.index_at(last_.time + clock_.period() / 2);
  std::int64_t index = std::max(clock_.index_at(now), known + 1);
  if (clock_.phase_at(now) > kToStep - kFromStep) index = std::max(index, clock_.index_at(now) + 1);
  if (!sleep(clock_.time_of(index) + kLookAt * clock_.period() - now)) return;
  const Seconds begin = steady_now();
  const Joules energy = checked(read_());
  const Seconds end = steady_now();
  const bool clear = clock_.index_at(begin) == clock_.index_at(end) &&
                     clock_.phase_at(begin) > kFromStep && clock_.phase_at(end) < kToStep;
  if (clear) keep({clock_.time_of(clock_.index_at(begin)), energy});
}

bool StepWatcher::look_for_step(Seconds due) {
  if (!sleep(due - (1 - kWatchFrom) * period_ - steady_now())) return false;
  const CounterStep before{steady_now(), checked(read_())};
  const CounterStep step = observe_step(before, before.time + kAwait * period_);
  const std::scoped_lock lock(mutex_);
  if (stopping_) return false;
  note_look();
  if (step.energy == before.energy) {
    if (step.time - last_.time > patience_) fail_stuck();
    return false;
  }
  last_ = step;
  return true;
}

void StepWatcher::keep(const CounterStep& step) {
  const std::scoped_lock lock(mutex_);
  note_look();
  if (step.energy > last_.energy)
    last_ = step;
  else if (step.time - last_.time > patience_)
    fail_stuck();
}

void StepWatcher::note_look() {
  looked_ = steady_now();
  asked_ = false;
  wake_.notify_all();
}

void StepWatcher::fail_stuck() const {
  throw Error(
      ErrorCode::failed,
      fmt::format("{}: the energy counter stands still since {:.3g} s (is the driver gone?); "
                  "open it again",
                  name_, (steady_now() - last_.time).count()));
}

}  // namespace ampere
