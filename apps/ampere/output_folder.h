// The folder that --out names.
#pragma once

#include <filesystem>
#include <string>

namespace ampere {

// Makes it, before anything is measured, which may take hours. Throws Error(permission) when it
// cannot be written.
void require_folder(const std::string& folder);

// Throws Error(permission) naming the file.
void write_file(const std::filesystem::path& path, const std::string& text);

}  // namespace ampere
