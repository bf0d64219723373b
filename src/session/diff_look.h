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
  // Refers to all of it.
  DiffLook(const LookedAt& before, const LookedAt& after, const GeneralProfile& profile, Rig& rig);

  // Takes some ten to thirty seconds. A warning says what could not be measured.
  void take(std::vector<std::string>& warnings);

  ProgramEvidence evidence_before() const { return evidence(before_); }
  ProgramEvidence evidence_after() const { return evidence(after_); }
  Diff::AtHand summary() const;

 private:
  struct Side {
    const LookedAt& seen;
    ComposedProgram composed;       // from the times of operations
    std::vector<double> slowdowns;  // of the host, one per look
  };

  void time_operations(std::vector<std::string>& warnings);
  void look_at_host(std::vector<std::string>& warnings);
  void measure_energies(std::vector<std::string>& warnings);
  double waiting_s(const Program& program) const;
  std::vector<double> slowdowns() const;  // of both
  ProgramEvidence evidence(const Side& side) const;

  Side before_, after_;
  const GeneralProfile& profile_;
  Rig& rig_;
  std::vector<TimedOperation> timed_;
  std::map<OperationKey, double> drawn_j_;
  std::optional<Measurement> measured_before_;
};

}  // namespace ampere
