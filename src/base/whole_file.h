// Files that appear whole or not at all.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ampere {

// Writes the parts one after the other beside `path` and then puts them in its place: whenever the
// machine stops, there is the old file or the new one. Throws
// Error(permission), Error(usage) (no such folder) or Error(failed) (no space left) naming the
// path; nothing is left behind then, and an older file stays as it was.
void write_whole_file(const std::string& path, std::span<const std::string_view> parts);
void write_whole_file(const std::string& path, std::string_view text);

}  // namespace ampere
