#include "meter/ticker.h"

#include <chrono>

namespace ampere {

using Steady = std::chrono::steady_clock;

Ticker::Ticker(Seconds interval, std::function<void()> tick)
    : tick_(std::move(tick)), thread_([this, interval] { run(interval); }) {}

Ticker::~Ticker() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

// Deadlines follow each other at the interval, whatever a tick takes; those that were missed are
// skipped, not made up for.
void Ticker::run(Seconds interval) {
  const auto step = std::chrono::duration_cast<Steady::duration>(interval);
  auto next = Steady::now() + step;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      if (wake_.wait_until(lock, next, [this] { return stopping_; })) return;
    }
    tick_();
    next = std::max(next + step, Steady::now());
  }
}

Seconds steady_now() { return Steady::now().time_since_epoch(); }

}  // namespace ampere
