#include "revision/revision.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "ampere/error.h"
#include "base/text.h"
#include "revision/git.h"
#include "revision/missing.h"

namespace ampere {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kScript = ".py";
constexpr std::array<std::string_view, 4> kEndings{".json", ".onnx", ".program", kScript};

bool has_known_ending(std::string_view path) {
  for (const std::string_view ending : kEndings)
    if (path.ends_with(ending)) return true;
  return false;
}

std::string make_folder() {
  std::string folder = (fs::temp_directory_path() / "ampere-revision-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr)
    throw Error(ErrorCode::failed,
                fmt::format("{}: {}", folder, std::generic_category().message(errno)));
  return folder;
}

}  // namespace

std::optional<RevisionPath> find_revision_path(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == 0 || colon == std::string::npos) return std::nullopt;
  RevisionPath found{text.substr(0, colon), text.substr(colon + 1), ""};
  if (has_known_ending(found.revision)) return std::nullopt;  // a file, then its function
  const std::size_t last = found.path.rfind(':');
  if (last != std::string::npos &&
      std::string_view(found.path).substr(0, last).ends_with(kScript)) {
    found.function = found.path.substr(last);
    found.path.resize(last);
  }
  if (!has_known_ending(found.path)) return std::nullopt;
  return found;
}

RevisionFiles::RevisionFiles(StopToken stop) : stop_(stop) {}

RevisionFiles::~RevisionFiles() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

std::string RevisionFiles::commit_of(const std::string& revision) const {
  if (revision.starts_with('-') || revision.find_first_of(" \t\n") != std::string::npos)
    throw Error(ErrorCode::usage, fmt::format("'{}' is not the name of a revision", revision));
  if (run_git({"rev-parse", "--git-dir"}, stop_).status != 0)
    throw Error(ErrorCode::usage,
                fmt::format("{}: the current folder is in no git repository, so it has no "
                            "revisions; go into one, or give the path of a file",
                            revision));
  const ProgramEnd end =
      run_git({"rev-parse", "--verify", "--quiet", revision + "^{commit}"}, stop_);
  if (end.status == 0) return std::string(trim(end.out));
  throw missing_revision(revision, stop_);
}

void RevisionFiles::require_file(const std::string& commit, const RevisionPath& path) const {
  const ProgramEnd end = run_git({"cat-file", "-t", commit + ":" + path.path}, stop_);
  const std::string_view type = trim(end.out);
  if (end.status == 0 && type == "blob") return;
  throw Error(ErrorCode::unknown,
              fmt::format("the revision {} has no file {}{}; paths begin at the top of the "
                          "repository, or with ./ in the current folder: `git ls-tree -r "
                          "--name-only {}` lists them",
                          path.revision, path.path, type == "tree" ? ", which is a folder" : "",
                          path.revision));
}

// By an index of its own, so that neither the index nor the files of the repository change.
std::string RevisionFiles::copy_all(const std::string& commit) {
  const std::string into = fmt::format("{}/{}/", folder_, copies_);
  const std::string index = fmt::format("{}/index{}", folder_, copies_);
  const auto ask = [&](const std::vector<std::string>& words) {
    std::vector<std::string> argv{"env", "GIT_INDEX_FILE=" + index, "git"};
    argv.insert(argv.end(), words.begin(), words.end());
    constexpr Seconds kPatience{300};
    const ProgramEnd end = run_program(argv, "", kPatience, stop_);
    if (end.status != 0)
      throw Error(ErrorCode::failed,
                  fmt::format("git {} failed: {}", words.front(), trim(end.err)));
    return end.out;
  };
  const std::string top(trim(ask_git({"rev-parse", "--show-toplevel"}, stop_)));
  ask({"read-tree", commit});
  ask({"-C", top, "checkout-index", "--all", std::string("--prefix") + "=" + into});
  return into;
}

std::string RevisionFiles::copy(const RevisionPath& path) {
  const std::string commit = commit_of(path.revision);
  require_file(commit, path);
  if (folder_.empty()) folder_ = make_folder();
  ++copies_;
  if (std::string_view(path.path).ends_with(kScript)) {
    // Where the script is below the top, whatever the current folder is.
    std::string below = path.path;
    if (below.starts_with("./"))
      below = std::string(trim(ask_git({"rev-parse", "--show-prefix"}, stop_))) + below.substr(2);
    return copy_all(commit) + below + path.function;
  }
  const std::string text = ask_git({"cat-file", "blob", commit + ":" + path.path}, stop_);
  const fs::path target =
      fs::path(folder_) / std::to_string(copies_) / fs::path(path.path).filename();
  fs::create_directories(target.parent_path());
  std::ofstream out(target, std::ios::binary);
  out << text;
  out.close();
  if (!out)
    throw Error(ErrorCode::failed, fmt::format("{}: it cannot be written", target.string()));
  return target.string();
}

}  // namespace ampere
