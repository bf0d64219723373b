#include "train/gate.h"

namespace ampere {

void Gate::pass() {
  std::unique_lock lock(mutex_);
  if (!opened_.wait_for(lock, timeout_, [this] { return is_open_; })) was_forced_ = true;
}

bool Gate::open() {
  const std::lock_guard lock(mutex_);
  is_open_ = true;
  opened_.notify_all();
  return !was_forced_;
}

}  // namespace ampere
