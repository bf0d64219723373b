// Waiting for others: how long, in what steps, and whom to tell.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "ampere/progress.h"

namespace ampere {

// One wait after another, each with the whole patience of a StoreWait.
class Patience {
 public:
  explicit Patience(StoreWait wait) : wait_(std::move(wait)) { begin(); }

  void begin();  // of a wait

  // Naps, a little longer every time, and returns true; or returns false because the caller asked
  // to stop or the time is over. `reason` is asked once per wait, after two seconds, and told with
  // the time that is left: "store.db: waiting for process 12".
  bool goes_on(const std::function<std::string()>& reason);

  void throw_if_stopped() const { wait_.stop.throw_if_stopped(); }

 private:
  StoreWait wait_;
  std::chrono::steady_clock::time_point since_;
  int naps_ = 0;
  bool told_ = false;
};

}  // namespace ampere
