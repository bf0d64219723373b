// Calling a function of a script, without a browser.
#pragma once

#include <string>
#include <string_view>

namespace ampere {

// Runs the script, then calls `function`, the dotted name of one that it defines and that takes and
// gives a text. Throws Error(failed) with what the script said and in which line of it, and
// Error(failed) where the program was built without an engine.
std::string call_script(std::string_view script, std::string_view function,
                        std::string_view argument);

}  // namespace ampere
