// What long work tells its caller while it runs, how the caller stops it, how long it waits for
// others, and what it sums up at the end.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ampere/units.h"

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

struct Progress {
  std::string step;                   // "networks measured", "round 2", "[3/7] conv5x5+relu @14x14"
  std::string title;                  // what was measured last; may be empty
  std::int64_t done = 0;              // of this step
  std::int64_t of = 0;                // at most; 0 when it cannot be said
  std::int64_t failures = 0;          // so far
  std::optional<double> uncertainty;  // largest standard deviation over the mean, where it is known
  std::optional<Seconds> left;        // at most, at the pace so far
  bool finished = false;              // the step is complete
};

struct TrainingProgress;

// Calls come from the thread that does the work. The default is to ignore them.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void progress(const Progress&) {}
  virtual void training(const std::string& /*network*/, const TrainingProgress&) {}
  virtual void warning(const std::string&) {}
};

// How a store is opened.
enum class Access { read, write };

// A store that another process keeps locked, and a database server that does not answer, are waited
// for, now and at every later use. Throws Error(interrupted) when `stop` says so, then
// Error(failed) naming whom it waited for.
struct StoreWait {
  StopToken stop = {};
  // Called once per wait of more than two seconds, with whom it is for.
  std::function<void(const std::string&)> tell = {};
  std::chrono::milliseconds patience{60'000};
};

// What a campaign of measurements came to.
struct Summary {
  std::int64_t profile = 0;     // id in the store
  int measured = 0, timed = 0;  // networks under the meter, blocks without
  int known = 0;                // in the store before, so not measured again
  int failed = 0;               // each of them is a stored failure
  int skipped = 0;              // the rig has no answer for them
  Seconds measuring{};          // spent inside the rig
  Seconds elapsed{};            // all of it
  bool stopped_by_time_limit = false;
  std::vector<std::string> warnings;
};

}  // namespace ampere
