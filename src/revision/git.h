// The program git, without a shell.
#pragma once

#include <string>
#include <vector>

#include "ampere/progress.h"
#include "rig/run_program.h"

namespace ampere {

// Runs `git` with these words in the current folder, where it asks nobody for a password. Throws
// Error(unknown) when git is not installed, and as run_program does.
ProgramEnd run_git(const std::vector<std::string>& words, StopToken stop = {});

// The same, for its standard output. Throws Error(failed) with what git said when it fails.
std::string ask_git(const std::vector<std::string>& words, StopToken stop = {});

}  // namespace ampere
