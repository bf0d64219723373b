// Command lines that users write, cut into words without a shell.
#pragma once

#include <string>
#include <vector>

namespace ampere {

// The words of `command`, with quotes, escapes, variables, `~` and a few `*` as in a shell. Nothing
// is run: a command that only a shell could run (pipes, redirections, several commands, `$(…)`)
// throws Error(usage), which starts with `what` and says how to name a shell.
std::vector<std::string> command_words(const std::string& command, const std::string& what);

}  // namespace ampere
