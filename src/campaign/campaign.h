// The one loop that measures: suggest, measure, store, tell. Limits, stopping, progress, failures
// and going on where an earlier campaign ended are written here, once, for every plan.
#pragma once

#include <map>
#include <set>
#include <utility>

#include "ampere/progress.h"
#include "ampere/rig.h"
#include "ampere/store.h"
#include "base/stopwatch.h"
#include "method/suggestions.h"

namespace ampere {

struct Limits {
  std::optional<Seconds> time;  // for the whole campaign; nothing new is begun after it
};

class Campaign {
 public:
  // Measures into the profile of the rig's device at this setup. All references must outlive it.
  Campaign(Rig& rig, std::string rig_name, Store& store, const Setup& setup, const Limits& limits,
           StopToken stop, Listener& listener);

  // Runs the plan to its end, or to the time limit. Everything finished is in the store before the
  // next measurement begins, and what is there already, or is being measured by another process
  // into the same profile, is not measured again. May be called for
  // several plans in turn, which share the limits and the summary. Throws Error(interrupted) when
  // the caller asks to stop.
  void run(Suggestions& plan);

  bool out_of_time();
  void warn(std::string warning);

  std::int64_t profile() const { return profile_; }
  Rig& rig() { return rig_; }
  Store& store() { return store_; }
  const Setup& setup() const { return setup_; }
  StopToken stop() const { return stop_; }
  Listener& listener() { return listener_; }
  const Summary& summary() const { return summary_; }
  Summary finish();  // with the time that it took

 private:
  using Block = std::pair<std::string, std::vector<std::int64_t>>;  // kind and features

  Finding find(const Suggestion& suggestion, bool again = false);  // in the store
  std::unique_ptr<Claim> wait_for_claim(const Suggestion& suggestion);
  Finding take(const Suggestion& suggestion);  // on the rig, and into the store
  Finding measure(const Suggestion& suggestion);
  Finding time_block(const Suggestion& suggestion);
  Finding measure_idle(const Suggestion& suggestion);
  void hold(BlockTiming timing);
  void flush_timings();
  void count(bool success, int& counter, const Suggestion& suggestion, const std::string& failure);
  void report(const Suggestions& plan, const Stopwatch& since, int taken);
  std::int64_t profile_of(const Suggestion& suggestion);

  Rig& rig_;
  std::string rig_name_;
  Store& store_;
  Setup setup_;
  Limits limits_;
  StopToken stop_;
  Listener& listener_;
  Stopwatch stopwatch_;
  std::int64_t profile_;
  std::map<std::string, std::int64_t> other_profiles_;  // by setup, as text
  std::optional<std::set<Block>> timed_;  // those in the store, read when first needed
  std::vector<BlockTiming> held_;
  std::vector<std::unique_ptr<Claim>> held_claims_;  // of these
  struct Failed {
    std::string first, reason;  // what failed first in this way, and all that was said of it
    int count = 0;
  };
  std::map<std::string, Failed> failures_;  // by the first line of the reason
  Summary summary_;
};

}  // namespace ampere
