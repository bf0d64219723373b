// How long the reference networks of a profile took beside the networks that were paced against
// them: the speed of the host, over time.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ampere/measurement.h"

namespace ampere {

class ReferenceTimes {
 public:
  // A pace that is absent or has no times (see has_times()) says nothing of the host and is passed
  // over.
  void add(const std::optional<Pace>& pace);

  // Seconds per iteration by the hash of the reference's model, in the order in which they were
  // added; every reference has at least one time.
  const std::map<std::string, std::vector<double>>& all() const { return times_; }

  // The times of one reference; empty when there are none.
  const std::vector<double>& of(const std::string& reference) const;

  // The mean time of this reference: the host at its usual speed. The reference must have a time.
  double usual_s(const std::string& reference) const;

 private:
  std::map<std::string, std::vector<double>> times_;
};

}  // namespace ampere
