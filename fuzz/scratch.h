// Bytes as files, for readers that take a path.
#pragma once

#include <string>
#include <string_view>

namespace ampere::fuzz {

// A folder in memory that lasts as long as the process.
const std::string& scratch_folder();

// Writes the bytes as a file of that folder, in place of an older one, and returns its path.
std::string scratch_file(const std::string& name, std::string_view bytes);

}  // namespace ampere::fuzz
