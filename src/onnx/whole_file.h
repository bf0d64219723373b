// Files that appear whole or not at all.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ampere::onnx {

// Writes the parts one after the other beside `path` and then puts them in its place. Throws
// Error(permission), Error(usage) (no such folder) or Error(failed) (no space left) naming the
// path; nothing is left behind then, and an older file stays as it was.
void write_whole_file(const std::string& path, std::span<const std::string_view> parts);

}  // namespace ampere::onnx
