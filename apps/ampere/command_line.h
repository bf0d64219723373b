// The command line as it was typed.
#pragma once

#include <string>
#include <vector>

namespace ampere {

// Without the program's name. The password of a store's URL is forgotten.
void remember_command_line(std::vector<std::string> words);

std::string command_as_typed();  // with quotes where a shell needs them

// The same command on a recording, whose path is to be appended.
std::string command_on_a_recording();

}  // namespace ampere
