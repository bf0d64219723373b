// JSON as text, whatever texts are in it.
#pragma once

#include "base/json.h"

namespace ampere {

// On one line, or indented by so many spaces. A foreign text, such as an argument or a message of a
// driver, may not be UTF-8; what is not is replaced by U+FFFD.
std::string json_text(const Json& json, int indent = -1);

}  // namespace ampere
