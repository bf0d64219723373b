#include "meter/ticker.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <system_error>

#include "ampere/error.h"

namespace ampere {

using Steady = std::chrono::steady_clock;

Ticker::Ticker(Seconds interval, std::function<void()> tick) try
    : tick_(std::move(tick)), thread_([this, interval] { run(interval); }) {
} catch (const std::system_error& error) {
  throw Error(ErrorCode::failed, std::string("cannot start a thread: ") + error.what());
}

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
  const auto step = std::chrono::duration_cast<Steady::duration>(
      std::clamp<Seconds>(interval, Seconds{1e-4}, std::chrono::hours(24)));
  auto next = Steady::now() + step;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      if (wake_.wait_until(lock, next, [this] { return stopping_; })) return;
    }
    tick_();
    next += step;
    if (const auto now = Steady::now(); next <= now) next = now + step;
  }
}

}  // namespace ampere
