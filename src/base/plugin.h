// Parts of the project that are libraries of their own and are loaded when they are first used:
// what they bring along takes longer to load than an estimate takes.
#pragma once

#include <string>

namespace ampere {

// A symbol of the library ampere-NAME, which is beside the program as it was built, or installed
// with the program or with the library that somebody else's program uses. It is never closed.
// Throws Error(failed) with the reason.
void* plugin_symbol(const std::string& name, const char* symbol);

}  // namespace ampere
