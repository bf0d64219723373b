// Texts for others, without what they say about the machine they come from.
#pragma once

#include <string>
#include <string_view>

namespace ampere {

// Every path in the text as the name of its file alone, and what a child process said ("; it said:"
// and all after it) left out. Paths begin with "/" or "~" after a character that ends a word.
std::string without_places(std::string_view text);

// A rig or a meter "kind:rest" whose rest is a command or a path: the kind, and of a recording the
// name of its file as well. Others are as they were.
std::string without_command(const std::string& spec);

}  // namespace ampere
