// What the library says would help, as a command or an option of ampere.
#pragma once

#include <string>

#include "ampere/error.h"

namespace ampere {

// The command or the option alone; empty where there is none.
std::string remedy_text(Remedy remedy, const std::string& about = "");

// The message with the command or the option in parentheses behind it, where there is a remedy.
std::string with_remedy(const std::string& message, Remedy remedy, const std::string& about = "");
std::string with_remedy(const Error& error);
std::string with_remedy_text(const std::string& message, const std::string& remedy);

}  // namespace ampere
