#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "ampere/error.h"
#include "base/text.h"
#include "rig/runner_rig.h"

namespace ampere {
namespace {

namespace fs = std::filesystem;
constexpr const char* kRunner = "ampere-runner";

bool runs(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none) && access(path.c_str(), X_OK) == 0;
}

std::vector<fs::path> places() {
  std::vector<fs::path> places;
  std::error_code none;
  if (const fs::path self = fs::read_symlink("/proc/self/exe", none); !self.empty()) {
    places.push_back(self.parent_path() / kRunner);
    places.push_back(self.parent_path().parent_path() / "libexec" / "ampere" / kRunner);
  }
  if (const char* path = std::getenv("PATH"))
    for (const std::string& folder : split(path, ':'))
      if (!folder.empty()) places.push_back(fs::path(folder) / kRunner);
  return places;
}

}  // namespace

std::string find_runner(const std::string& given) {
  if (!given.empty()) {
    if (runs(given)) return given;
    throw Error(ErrorCode::unknown, fmt::format("'{}' is not an executable runner", given));
  }
  for (const fs::path& place : places())
    if (runs(place)) return place;
  throw Error(ErrorCode::unknown,
              "ampere-runner is neither beside this program nor in PATH; build it with "
              "AMPERE_TORCH=ON, or use a simulated device such as sim:xavier");
}

}  // namespace ampere
