// The rig, and the profile that it measures into.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "ampere/store.h"
#include "method/kernels/survey.h"

namespace ampere {

// An inference of nothing: what is left is what every inference costs beside its kernels.
Model empty_network();

// Mean over what was measured, with the standard error of each and the scatter among them. None
// where all failed.
std::optional<RunCost> run_cost_of(std::span<const Observation> observations);

class Measurer {
 public:
  Measurer(Rig& rig, Store& store, std::int64_t profile, const Setup& setup,
           std::optional<Seconds> time_limit);

  // The first `count` observations of this network for this purpose: from the store, and measured
  // now where it has fewer. Fewer where time is up or the rig has no answer. Throws
  // Error(interrupted).
  struct Wanted {
    const Model& model;
    Purpose purpose;
    std::string kind = {};  // a kernel's type
    std::size_t count = 1;
  };
  std::vector<Observation> get(const Wanted& wanted, const Precision& precision);

  bool out_of_time();
  Seconds elapsed() const;

  Store& store() { return store_; }
  std::int64_t profile() const { return profile_; }

  // Since it was last set: measured now, in the store before, in vain, and without an answer.
  struct Tally {
    int measured = 0, known = 0, failed = 0, skipped = 0;
  };
  Tally tally;
  Seconds measuring{};
  bool stopped = false;  // by the time limit

 private:
  Rig& rig_;
  Store& store_;
  std::int64_t profile_;
  Setup setup_;
  std::optional<Seconds> time_limit_;
  Seconds start_;
};

}  // namespace ampere
