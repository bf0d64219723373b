// The command line as it was typed.
#pragma once

#include <string>
#include <vector>

namespace ampere {

void remember_command_line(std::vector<std::string> words);  // without the program's name

// The same command on a recording, whose path is to be appended.
std::string command_on_a_recording();

}  // namespace ampere
