#include "rig/find_python.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "ampere/error.h"
#include "base/plain_text.h"
#include "base/text.h"
#include "rig/child.h"
#include "rig/executable.h"

namespace ampere {
namespace {

namespace fs = std::filesystem;

// Importing PyTorch takes seconds; its version stands in a small file of its own.
constexpr const char* kProbe = R"(
import importlib.util, os, sys
spec, found = importlib.util.find_spec("torch"), {}
if spec and spec.origin:
    with open(os.path.join(os.path.dirname(spec.origin), "version.py")) as file:
        exec(file.read(), found)
print(sys.version.split()[0], found.get("__version__", "none"))
)";
constexpr Seconds kProbeTimeout{20};

// Several names may lead to one interpreter. A virtual environment is not the interpreter that its
// link leads to, so links between folders are not followed.
std::vector<std::string> candidates() {
  std::vector<fs::path> folders;
  if (const char* environment = std::getenv("VIRTUAL_ENV"))
    folders.push_back(fs::path(environment) / "bin");
  for (fs::path& folder : folders_in_path()) folders.push_back(std::move(folder));
  for (const char* folder : {"/usr/bin", "/usr/local/bin", "/opt/conda/bin"})
    folders.emplace_back(folder);
  std::vector<std::string> found;
  std::vector<fs::path> seen;
  for (const fs::path& folder : folders) {
    std::error_code none;
    const fs::path real = fs::canonical(folder, none);
    if (none || std::ranges::find(seen, real) != seen.end()) continue;
    seen.push_back(real);
    if (is_executable(folder / "python3")) found.push_back((folder / "python3").string());
  }
  return found;
}

PythonProbe probe(const std::string& path) {
  PythonProbe result{path, "", std::nullopt};
  try {
    Child child({path, "-c", kProbe}, false, {}, path);
    const std::vector<std::string> words = split(child.receive(kProbeTimeout), ' ');
    if (words.size() != 2) return result;
    result.version = plain_text(words[0]);
    if (words[1] != "none") result.torch = plain_text(words[1]);
  } catch (const Error&) {
    // An interpreter that does not run has no version.
  }
  return result;
}

std::string find_given(const std::string& given) {
  if (given.find('/') != std::string::npos) {
    if (is_executable(given)) return given;
  } else {
    for (const fs::path& folder : folders_in_path())
      if (is_executable(folder / given)) return (folder / given).string();
  }
  throw Error(ErrorCode::unknown, fmt::format("'{}' is not a program that can be run", given));
}

}  // namespace

std::vector<PythonProbe> probe_pythons() {
  std::vector<PythonProbe> probes;
  for (const std::string& path : candidates()) probes.push_back(probe(path));
  return probes;
}

std::string find_python(const std::string& given) {
  if (!given.empty()) return find_given(given);
  std::vector<std::string> without;
  for (const std::string& path : candidates()) {
    if (probe(path).torch) return path;
    without.push_back(path);
  }
  if (without.empty())
    throw Error(ErrorCode::unknown, "there is no Python interpreter in PATH", Remedy::python);
  throw Error(
      ErrorCode::unknown,
      fmt::format("no Python interpreter here has PyTorch: tried {}", fmt::join(without, ", ")),
      Remedy::python);
}

std::optional<std::string> python_path() {
  std::error_code none;
  const fs::path self = fs::read_symlink("/proc/self/exe", none).parent_path();
  const fs::path installed = self.parent_path() / "share" / "ampere" / "python";
  const fs::path source = self.parent_path().parent_path() / "python";
  for (const fs::path& folder : {installed, source}) {
    if (!fs::is_regular_file(folder / "ampere" / "worker" / "__main__.py", none)) continue;
    const char* others = std::getenv("PYTHONPATH");
    return others != nullptr && *others != '\0' ? folder.string() + ":" + others : folder.string();
  }
  return std::nullopt;
}

std::string quoted(const std::string& text) {
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') word += "'\\'";
    word += c;
  }
  return word + "'";
}

}  // namespace ampere
