// What this program is: its version, its build, and which stores, protocols and files it knows.
#pragma once

#include <span>

namespace ampere {

// Whether these words, which follow the name of the program, ask for the version alone:
// `--version` or `version`, with or without `--json`.
bool asks_for_version(std::span<char* const> words);

// Prints "ampere 1.2.3", or everything when `--json` is among the words.
void print_version(std::span<char* const> words);

}  // namespace ampere
