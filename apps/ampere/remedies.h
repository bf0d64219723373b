// What the library says would help, as a command or an option of ampere.
#pragma once

#include <string>

#include "ampere/error.h"

namespace ampere {

// The message with the command or the option in parentheses behind it, where there is a remedy.
std::string with_remedy(const std::string& message, Remedy remedy, const std::string& about = "");
std::string with_remedy(const Error& error);

}  // namespace ampere
