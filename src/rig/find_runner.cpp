#include <fmt/format.h>

#include <filesystem>

#include "ampere/error.h"
#include "rig/executable.h"
#include "rig/runner_rig.h"

namespace ampere {
namespace {

namespace fs = std::filesystem;
constexpr const char* kRunner = "ampere-runner";

std::vector<fs::path> places() {
  std::vector<fs::path> places;
  std::error_code none;
  if (const fs::path self = fs::read_symlink("/proc/self/exe", none); !self.empty()) {
    places.push_back(self.parent_path() / kRunner);
    places.push_back(self.parent_path().parent_path() / "libexec" / "ampere" / kRunner);
  }
  for (const fs::path& folder : folders_in_path()) places.push_back(folder / kRunner);
  return places;
}

}  // namespace

std::string find_runner(const std::string& given) {
  if (!given.empty()) {
    if (is_executable(given)) return given;
    throw Error(ErrorCode::unknown, fmt::format("'{}' is not an executable runner", given));
  }
  for (const fs::path& place : places())
    if (is_executable(place)) return place;
  throw Error(ErrorCode::unknown,
              "ampere-runner is neither beside this program nor in PATH; build it, or use a "
              "simulated device such as sim:xavier");
}

}  // namespace ampere
