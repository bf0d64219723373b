// The scripts of packaging/completion, as text inside the program.
#pragma once

#include <string_view>

namespace ampere {

std::string_view bash_completion();
std::string_view zsh_completion();
std::string_view fish_completion();

}  // namespace ampere
