// Looking for programs.
#pragma once

#include <filesystem>
#include <vector>

namespace ampere {

bool is_executable(const std::filesystem::path& path);
std::vector<std::filesystem::path> folders_in_path();  // those that PATH names

}  // namespace ampere
