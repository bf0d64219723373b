#include "measure/command.h"

#include "measure/start_command.h"

namespace ampere {

CommandEnd run_command(const std::vector<std::string>& argv, Signals& signals) {
  const Started started = start_command(argv, [] { return 0; });
  const int status = signals.wait_for(started.pid);
  if (started.exec_error != 0) throw_cannot_run(argv.at(0), started.exec_error);
  return command_end(status);
}

}  // namespace ampere
