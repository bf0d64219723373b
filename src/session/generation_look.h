// The host of a device at hand, seen by small calls of a language model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ampere/session.h"
#include "method/operations/program_estimate.h"

namespace ampere {

// Runs one call of each stage that the programs have, with one sequence and so little to read that
// the device waits for the host. What is needed for that is traced, unless it is among the
// programs.
class GenerationLook {
 public:
  // Throws as Rig::run does, except that a warning says what failed. `timed` are operations of the
  // programs that were timed on the device.
  GenerationLook(const std::vector<Program>& programs, const ModelScript& script,
                 const OperationsProfile& profile, const std::vector<TimedOperation>& timed,
                 Rig& rig, std::vector<std::string>& warnings);

  const std::vector<HostLook>& looks() const { return looks_; }

  // How long the call would take if it only waited for the host: as the call of its stage that was
  // run, otherwise as that of the other stage, by what the law of the host says of both. Nothing
  // where no call was seen to wait for the host.
  std::optional<double> waiting_s(const Program& program, const OperationsProfile& profile) const;

 private:
  struct Host {
    GenerationStage stage;
    double time_s, by_law_s;
  };
  std::vector<HostLook> looks_;
  std::vector<Host> hosts_;
};

}  // namespace ampere
