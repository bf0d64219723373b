// Profiling in tests: the plan of one method, run to its end.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "campaign/profile_by.h"

namespace ampere::testing_support {

// Keeps what it is told.
class Watcher : public Listener {
 public:
  void progress(const Progress& now) override {
    seen.push_back(now);
    if (on_progress) on_progress(now);
  }
  void warning(const std::string& text) override { warnings.push_back(text); }

  std::vector<Progress> seen;
  std::vector<std::string> warnings;
  std::function<void(const Progress&)> on_progress;
};

// Where campaigns of a test measure, and how they are stopped.
struct TestBench {
  Rig& rig;
  Store& store;
  Setup setup = {};
  const std::atomic<bool>* stop = nullptr;
  Listener* listener = nullptr;

  Campaign campaign(const Limits& limits = {}) const {
    static Listener nobody;
    return {rig,
            "test",
            store,
            setup,
            limits,
            stop != nullptr ? StopToken(*stop) : StopToken(),
            listener != nullptr ? *listener : nobody};
  }
};

inline ProfileSummary profile(const Method& method, const ProfileTask& task,
                              const ProfileOptions& options, const TestBench& bench) {
  return profile_by(method, task, options, bench.campaign({options.time_limit}));
}

}  // namespace ampere::testing_support
