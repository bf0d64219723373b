// The environment of the programs that ampere starts for itself: runners, workers and the commands
// of meters. SECURITY.md lists what they get.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ampere {

// Names, separated by commas or spaces, that a child gets as well; NAME* means all that begin so.
inline constexpr const char* kPassEnvironment = "AMPERE_PASS_ENVIRONMENT";

// Whether a variable is one that a training framework, its accelerator, its interpreter or a remote
// shell needs. Everything else stays here, and so does what is named like a secret.
bool is_for_children(std::string_view name, std::string_view passed = "");

// The variables of this process that a child gets, as NAME=VALUE.
std::vector<std::string> child_environment();

// Pointers to `texts` as exec wants them, with a null at the end. Valid while `texts` is unchanged.
std::vector<char*> exec_pointers(const std::vector<std::string>& texts);

}  // namespace ampere
