#include "fleet/reporter.h"

#include <utility>

namespace ampere {

Reporter::Reporter(JobTable& table, const Attempt& attempt, Joules drawn)
    : table_(table), attempt_(attempt), drawn_(drawn), thread_([this] { work(); }) {}

Reporter::~Reporter() {
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Reporter::report(const AttemptProgress& progress, Joules in_all) {
  {
    const std::scoped_lock lock(mutex_);
    wish_ = {progress, in_all};
  }
  changed_.notify_all();
}

Joules Reporter::drawn() const {
  const std::scoped_lock lock(mutex_);
  return drawn_;
}

void Reporter::check() const {
  const std::scoped_lock lock(mutex_);
  if (error_) std::rethrow_exception(error_);
}

void Reporter::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ending_ || wish_; });
    if (ending_) return;
    const Wish wish = *std::exchange(wish_, std::nullopt);
    lock.unlock();
    Joules drawn;
    std::exception_ptr error;
    try {
      table_.progress(attempt_, wish.progress);
      drawn = table_.draw(attempt_, wish.in_all);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    drawn_ = std::max(drawn_, drawn);
    error_ = error;
    if (error_) return;
  }
}

}  // namespace ampere
