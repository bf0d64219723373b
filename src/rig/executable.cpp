#include "rig/executable.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

#include "base/text.h"

namespace ampere {

namespace fs = std::filesystem;

bool is_executable(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none) && access(path.c_str(), X_OK) == 0;
}

std::vector<fs::path> folders_in_path() {
  std::vector<fs::path> folders;
  if (const char* path = std::getenv("PATH"))
    for (const std::string& folder : split(path, ':'))
      if (!folder.empty()) folders.emplace_back(folder);
  return folders;
}

}  // namespace ampere
