#include "output_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "ampere/error.h"

namespace ampere {

void require_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || access(folder.c_str(), W_OK) != 0)
    throw Error(ErrorCode::permission,
                fmt::format("--out: the folder {} cannot be written", folder));
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  if (!(file << text << std::flush))
    throw Error(ErrorCode::permission, fmt::format("{}: cannot be written", path.string()));
}

}  // namespace ampere
