// Stopping by request. Whoever starts long work owns a flag, hands out a token, and may set the flag
// at any time, from another thread or from a signal handler.
#pragma once

#include <atomic>

namespace ampere {

class StopToken {
 public:
  StopToken() = default;  // never stops
  // The flag belongs to the caller and must outlive every copy of the token.
  explicit StopToken(const std::atomic<bool>& flag) : flag_(&flag) {}

  bool stop_requested() const { return flag_ != nullptr && *flag_; }
  // Throws Error(interrupted). Everything measured before is in the store.
  void throw_if_stopped() const;

 private:
  static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers may set the flag");
  const std::atomic<bool>* flag_ = nullptr;
};

}  // namespace ampere
