// A device behind a runner: whatever command reaches a program that speaks the protocol of
// docs/runner-protocol.md.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ampere/rig.h"

namespace ampere {

struct RunnerCommand {
  std::vector<std::string> argv;
  bool verbose = false;        // what it logs goes to our stderr
  StopToken stop = {};         // requests throw Error(interrupted) when it is set
  Seconds hello_timeout{120};  // a network file system, a big framework, a slow ssh
  Seconds margin{300};         // over the time asked for, between two lines of an answer
};

// Starts it and reads its hello. A runner that dies, hangs or talks nonsense makes one measurement
// fail; the next one starts it again, and it must come back as the same device.
// Throws Error(unknown) when the command does not exist, Error(failed) when it is no runner.
std::unique_ptr<Rig> open_runner_rig(RunnerCommand command);

// The ampere-runner program: `given` if not empty, else beside our own program, in its libexec, in
// PATH. Throws Error(unknown) when it is nowhere.
std::string find_runner(const std::string& given);

}  // namespace ampere
