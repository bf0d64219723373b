// A rig that uses a runner: a program, started by any command, that speaks the protocol of
// docs/runner-protocol.md.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ampere/rig.h"

namespace ampere {

struct RunnerCommand {
  std::vector<std::string> argv;
  bool verbose = false;        // write its log to stderr
  StopToken stop = {};         // requests throw Error(interrupted) when it is set
  Seconds hello_timeout{120};  // starting may be slow: large framework, network file system, ssh
  Seconds margin{300};         // beyond the requested time, between two lines of an answer
};

// Starts the runner and reads its hello. When the runner dies, hangs or sends something invalid,
// only the current request fails: the next one starts the runner again, which must be the same
// device. Throws Error(unknown) when the command does not exist and Error(failed) when it is not a
// runner.
std::unique_ptr<Rig> open_runner_rig(RunnerCommand command);

// The path of ampere-runner: `given` unless empty; otherwise it is looked for beside this program,
// in its libexec folder and in PATH. Throws Error(unknown) when it is not found.
std::string find_runner(const std::string& given);

}  // namespace ampere
