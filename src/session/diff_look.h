// What a comparison of two programs learns from the device itself, when it is there.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ampere/session.h"
#include "method/operations/general_profile.h"
#include "method/operations/program_estimate.h"

namespace ampere {

// One of two programs, and the step that it is of, where that can be trained.
struct LookedAt {
  const Program& program;
  Step step;
};

class DiffLook {
 public:
  // Refers to all of it but the warnings, which are added to.
  DiffLook(const LookedAt& before, const LookedAt& after, const GeneralProfile& profile, Rig& rig);

  // Takes some ten to thirty seconds. A warning says what could not be measured.
  void take(std::vector<std::string>& warnings);

  ProgramEvidence evidence(const Program& program) const;  // of one of both
  Diff::AtHand summary() const;

 private:
  struct Side {
    const LookedAt& seen;
    std::vector<double> slowdowns;  // of the host, one per look
  };

  void look_at_host(std::vector<std::string>& warnings);
  void look_at_energies(std::vector<std::string>& warnings);
  void measure_before(std::vector<std::string>& warnings);
  double waiting_s(const Program& program) const;
  std::vector<double> slowdowns() const;  // of both

  Side before_, after_;
  const GeneralProfile& profile_;
  Rig& rig_;
  std::vector<TimedOperation> timed_;
  std::map<OperationKey, double> drawn_j_;
  std::optional<Measurement> measured_before_;
};

}  // namespace ampere
