#include "base/plugin.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "ampere/error.h"

namespace ampere {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> places(const std::string& file) {
  std::error_code none;
  const fs::path self = fs::read_symlink("/proc/self/exe", none).parent_path();
  return {self / file, self.parent_path() / AMPERE_LIBDIR / "ampere" / file,
          fs::path(AMPERE_FULL_LIBDIR) / "ampere" / file,
          fs::path("/usr/lib/ampere") / file};  // from the package of Debian
}

}  // namespace

void* plugin_symbol(const std::string& name, const char* symbol) {
  const std::string file = fmt::format("ampere-{}-{}.so", name, AMPERE_VERSION);
  for (const fs::path& place : places(file)) {
    std::error_code none;
    if (!fs::exists(place, none)) continue;
    void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* found = library ? dlsym(library, symbol) : nullptr;
    if (found) return found;
    throw Error(ErrorCode::failed, dlerror());
  }
  throw Error(ErrorCode::failed, fmt::format("{} is not there", places(file).front().string()));
}

}  // namespace ampere
