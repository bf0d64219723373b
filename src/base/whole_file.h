// Files that appear whole or not at all.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ampere/error.h"

namespace ampere {

// Writes the parts one after the other beside `path` and then puts them in its place: whenever the
// machine stops, there is the old file or the new one. A symbolic link at `path` is replaced, not
// followed. Throws Error(permission), Error(usage) (no such folder) or Error(failed) (no space
// left) naming the path; nothing is left behind then, and an older file stays as it was.
void write_whole_file(const std::string& path, std::span<const std::string_view> parts);
void write_whole_file(const std::string& path, std::string_view text);

// Throws what write_whole_file would throw now. For callers who work long before they write.
void check_whole_file(const std::string& path);

// The code of an error of the system while a file is opened or written: refused, misplaced or
// failed.
ErrorCode write_error_code(int system_error);

}  // namespace ampere
