// Measuring variants into a profile, one after the other, with account of what it took.
#pragma once

#include <string>
#include <vector>

#include "base/stopwatch.h"
#include "method/ampere/profile.h"

namespace ampere {

class Observing {
 public:
  // Opens the profile. All but `rig_name` must outlive it.
  Observing(Rig& rig, const std::string& rig_name, Store& store, const Setup& setup,
            const ProfileOptions& options);

  // False after the time limit. Throws Error(interrupted) on the user's wish.
  bool may_begin();

  // In the store when it returns. The purpose is variant or test.
  Observation measure(const PlannedKind& planned, const std::vector<std::int64_t>& features,
                      Purpose purpose);

  int done() const { return summary_.measured + summary_.failed; }
  Seconds elapsed() const { return whole_.elapsed(); }
  std::int64_t profile() const { return summary_.profile; }
  bool out_of_time() const { return summary_.stopped_by_time_limit; }
  void warn(std::string warning) { summary_.warnings.push_back(std::move(warning)); }
  ProfileSummary finish();

 private:
  Rig& rig_;
  Store& store_;
  const Setup& setup_;
  const ProfileOptions& options_;
  const Stopwatch whole_;
  ProfileSummary summary_;
};

}  // namespace ampere
