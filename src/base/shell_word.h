// Words for a shell.
#pragma once

#include <string>

namespace ampere {

std::string shell_word(const std::string& text);  // in quotes where it needs them

}  // namespace ampere
