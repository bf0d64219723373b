// Prunings that the server is asked for: each in a thread of its own, since a search takes seconds,
// with progress for whoever looks, and a way to cancel it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/json.h"
#include "serve/asked.h"
#include "serve/event_queue.h"

namespace ampere {

// Too many at once; the same request may be answered later.
class Busy : public Error {
 public:
  explicit Busy(const std::string& message) : Error(ErrorCode::failed, message) {}
};

// Safe to use from several threads.
class PruneJobs {
 public:
  PruneJobs(std::string store, int most_at_once) : store_(std::move(store)), most_(most_at_once) {}
  ~PruneJobs();  // cancels all and waits for them

  std::string start(AskedPrune asked);      // throws Busy
  Json state(const std::string& id) const;  // throws Error(unknown), as all of these
  void cancel(const std::string& id);
  // What happens from now on, after the latest progress; the result at once where there is one.
  std::shared_ptr<EventQueue> follow(const std::string& id);

 private:
  class Job;
  std::shared_ptr<Job> find(const std::string& id) const;

  const std::string store_;
  const int most_;
  mutable std::mutex mutex_;
  std::deque<std::shared_ptr<Job>> jobs_;  // the latest last; ended ones are forgotten in time
  std::int64_t last_id_ = 0;
};

}  // namespace ampere
