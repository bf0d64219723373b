// Programs of others, run to their end for what they print.
#pragma once

#include <string>
#include <vector>

#include "ampere/progress.h"
#include "ampere/units.h"

namespace ampere {

struct ProgramEnd {
  int status = 0;  // 128 + the signal that killed it
  std::string out, err;
};

// Without a shell, so that no argument needs quotes, and with our whole environment. argv[0] is
// searched in PATH; `input` is its standard input. Throws Error(unknown) when there is no such
// program, Error(permission) when it may not be run, Error(failed) when it does not end in time or
// prints more than 64 MiB, and Error(interrupted); it is killed then.
ProgramEnd run_program(const std::vector<std::string>& argv, const std::string& input,
                       Seconds timeout, StopToken stop = {});

}  // namespace ampere
