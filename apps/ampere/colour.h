// Colours on a terminal, sparing ones: headings, warnings and errors.
#pragma once

#include <cstdio>
#include <string>

namespace ampere {

enum class Tone { heading, warning, error };

// The text as it is where colours are not wanted: not a terminal, NO_COLOR is set, or TERM is not
// set or "dumb".
std::string toned(const std::string& text, Tone tone, std::FILE* where = stderr);

}  // namespace ampere
