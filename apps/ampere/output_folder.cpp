#include "output_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "ampere/error.h"

namespace ampere {

void require_folder(const std::string& folder, const std::string& option) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || access(folder.c_str(), W_OK) != 0)
    throw Error(ErrorCode::permission,
                fmt::format("{}: the folder {} cannot be written", option, folder));
}

}  // namespace ampere
