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
// programs. All arguments must outlive it. What fails is a warning; other errors of Rig::run are
// thrown.
class GenerationLook {
 public:
  GenerationLook(const std::vector<Program>& programs, const ModelScript& script, Rig& rig,
                 std::vector<std::string>& warnings);

  // Runs the calls of both stages by turns, so many times each.
  void take(int times);
  // `timed` are operations of the programs that were timed on the device.
  void conclude(const OperationsProfile& profile, const std::vector<TimedOperation>& timed);

  const std::vector<HostLook>& looks() const { return looks_; }

  // How long the call would take if it only waited for the host: as the call of its stage that was
  // run, otherwise as that of the other stage, by what the law of the host says of both. Nothing
  // where no call was seen to wait for the host.
  std::optional<WaitingTime> waiting(const Program& program,
                                     const OperationsProfile& profile) const;

 private:
  struct SmallCall {
    GenerationStep step;
    Program program;
    std::vector<double> time_s = {}, energy_j = {};  // each time
    Quantity first_time_s = {}, first_energy_j = {};
    bool ended = false;  // it failed, or there is nothing new to see
  };
  struct Host {
    GenerationStage stage;
    double time_s, by_law_s;
  };
  bool run(SmallCall& call);

  const ModelScript& script_;
  Rig& rig_;
  std::vector<std::string>& warnings_;
  std::vector<SmallCall> calls_;
  std::vector<HostLook> looks_;
  std::vector<Host> hosts_;
  double deviation_ = 0;
};

}  // namespace ampere
