#include "revision/revision.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "ampere/error.h"
#include "ampere/model.h"
#include "base/text.h"
#include "model/zoo_spec.h"
#include "revision/git.h"
#include "revision/git_tree.h"
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

// What git writes before the colon: nothing is the index, and so is stage 0 of it.
constexpr std::string_view kIndexStage = ":0";

bool is_index(const std::string& revision) { return revision.empty() || revision == kIndexStage; }

std::string text_of(const RevisionPath& path) {
  return fmt::format("{}:{}{}", path.revision, path.path, path.function);
}

std::string tree_name(const RevisionPath& path) {
  return is_index(path.revision) ? "the index" : "the revision " + path.revision;
}

bool is_zoo_name(const std::string& name) {
  return std::ranges::find(zoo(), zoo_name(name), &ZooEntry::name) != zoo().end();
}

bool may_be_revision(const std::string& name) {
  return !name.empty() && !name.starts_with('-') &&
         name.find_first_of(" \t\n") == std::string::npos;
}

// A zoo name is asked for far more often than a revision; git is not started for it.
bool is_revision(const std::string& name) try {
  if (!may_be_revision(name) || is_zoo_name(name)) return false;
  return run_git({"rev-parse", "--verify", "--quiet", name + "^{commit}"}).status == 0;
} catch (const Error&) {
  return false;  // without git there are no revisions
}

void cut_function(RevisionPath& path) {
  const std::size_t last = path.path.rfind(':');
  if (last == std::string::npos || !std::string_view(path.path).substr(0, last).ends_with(kScript))
    return;
  path.function = path.path.substr(last);
  path.path.resize(last);
}

void require_repository(const std::string& text) {
  if (run_git({"rev-parse", "--git-dir"}).status != 0)
    throw Error(ErrorCode::usage,
                fmt::format("{}: the current folder is in no git repository, so it has no "
                            "revisions; go into one, or give the path of a file",
                            text));
}

// As git does: after ./ and ../ from the current folder, else from the top.
std::string path_from_top(const RevisionPath& path) {
  std::string below = path.path;
  if (below.starts_with("./") || below.starts_with("../"))
    below = std::string(trim(ask_git({"rev-parse", "--show-prefix"}))) + below;
  below = fs::path(below).lexically_normal().generic_string();
  if (below.starts_with('/') || below == ".." || below.starts_with("../"))
    throw Error(ErrorCode::unknown,
                "is outside of the repository; paths begin at its top without a slash, or with "
                "./ in the current folder");
  if (below.ends_with('/')) below.pop_back();
  return below == "." ? "" : below;
}

std::string how_to_list(const RevisionPath& path, const std::string& folder) {
  if (is_index(path.revision))
    return fmt::format("`git ls-files{}` lists them", folder.empty() ? "" : " :/" + folder);
  if (folder.empty())
    return fmt::format("`git ls-tree -r --name-only {}` lists them", path.revision);
  return fmt::format("`git ls-tree -r --name-only --full-tree {} {}` lists them", path.revision,
                     folder);
}

Error not_a_file(const RevisionPath& path, const TreeEntry& entry) {
  const std::string text = text_of(path);
  const auto says = [](const std::string& message) { return Error(ErrorCode::unknown, message); };
  if (entry.path.empty())
    return says(
        fmt::format("{} is {} as a whole, not a file; write the path of a network after "
                    "the colon, as in {}:net.json",
                    text, tree_name(path), path.revision));
  if (entry.kind == EntryKind::folder)
    return says(fmt::format("{} is a folder; write the path of a network in it: {}", text,
                            how_to_list(path, entry.path)));
  if (entry.kind == EntryKind::submodule)
    return says(fmt::format("{} is a submodule, whose files are in another repository", text));
  if (entry.path != path_from_top(path))
    return says(
        fmt::format("{} has no file {}, to which {} leads", tree_name(path), entry.path, text));
  return says(
      fmt::format("{} has no file {}; paths begin at the top of the repository, or with ./ "
                  "in the current folder: {}",
                  tree_name(path), path.path, how_to_list(path, "")));
}

TreeEntry find_entry(const GitTree& tree, const RevisionPath& path) try {
  return tree.find(path_from_top(path));
} catch (const Error& error) {
  throw error.saying(fmt::format("{}: {}", text_of(path), error.what()));
}

void require_network(const RevisionPath& path, const TreeEntry& entry) {
  if (entry.kind != EntryKind::file) throw not_a_file(path, entry);
  if (!has_known_ending(path.path))
    throw Error(ErrorCode::usage,
                fmt::format("{}: is no network; the file of one ends in .json, .onnx, .program or "
                            ".py",
                            text_of(path)));
}

void write_file(const fs::path& target, const std::string& text) {
  fs::create_directories(target.parent_path());
  std::ofstream out(target, std::ios::binary);
  out << text;
  out.close();
  if (!out)
    throw Error(ErrorCode::failed, fmt::format("{}: it cannot be written", target.string()));
}

}  // namespace

std::optional<RevisionPath> find_revision_path(const std::string& text) {
  const std::size_t colon = text.find(':', text.starts_with(kIndexStage) ? kIndexStage.size() : 0);
  if (colon == std::string::npos) return std::nullopt;
  RevisionPath found{text.substr(0, colon), text.substr(colon + 1), ""};
  if (has_known_ending(found.revision)) return std::nullopt;  // a file, then its function
  cut_function(found);
  if (is_index(found.revision) || has_known_ending(found.path) || is_revision(found.revision))
    return found;
  return std::nullopt;
}

std::string RevisionFiles::as_written(std::string message) const {
  for (const Name& name : names_) message = replaced(std::move(message), name.path, name.text);
  return message;
}

RevisionFiles::RevisionFiles(StopToken stop) : stop_(stop) {}

RevisionFiles::~RevisionFiles() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

GitTree RevisionFiles::tree_of(const std::string& revision) const {
  if (is_index(revision)) {
    require_repository("the index");
    return GitTree::of_index(stop_);
  }
  if (!may_be_revision(revision))
    throw Error(ErrorCode::usage, fmt::format("'{}' is not the name of a revision", revision));
  require_repository(revision);
  const ProgramEnd end =
      run_git({"rev-parse", "--verify", "--quiet", revision + "^{commit}"}, stop_);
  if (end.status != 0) throw missing_revision(revision, stop_);
  return GitTree::of_commit(std::string(trim(end.out)), stop_);
}

// A commit by an index of its own, so that neither the index nor the files of the repository
// change.
std::string RevisionFiles::copy_all(const GitTree& tree, const std::string& into) {
  const std::string index = fmt::format("{}/index{}", folder_, copies_);
  const auto ask = [&](const std::vector<std::string>& words) {
    std::vector<std::string> argv{"env"};
    if (!tree.commit().empty()) argv.push_back("GIT_INDEX_FILE=" + index);
    argv.push_back("git");
    argv.insert(argv.end(), words.begin(), words.end());
    constexpr Seconds kPatience{300};
    const ProgramEnd end = run_program(argv, "", kPatience, stop_);
    if (end.status != 0)
      throw Error(ErrorCode::failed,
                  fmt::format("git {} failed: {}", words.front(), trim(end.err)));
    return end.out;
  };
  const std::string top(trim(ask_git({"rev-parse", "--show-toplevel"}, stop_)));
  if (!tree.commit().empty()) ask({"read-tree", tree.commit()});
  ask({"-C", top, "checkout-index", "--all", std::string("--prefix") + "=" + into});
  return into;
}

std::string RevisionFiles::copy(const RevisionPath& path) {
  const GitTree tree = tree_of(path.revision);
  const TreeEntry file = find_entry(tree, path);
  require_network(path, file);
  if (folder_.empty()) folder_ = make_folder();
  const std::string into = fmt::format("{}/{}/", folder_, ++copies_);
  const bool script = std::string_view(path.path).ends_with(kScript);
  const std::string below = path_from_top(path);
  const std::string target =
      into + (script ? below : fs::path(path.path).filename().string()) + path.function;
  names_.push_back({target, text_of(path)});
  if (script) {
    const RevisionPath without{path.revision, path.path, ""};
    names_.push_back({into + below, text_of(without)});
    names_.push_back({into, path.revision + ":"});
    copy_all(tree, into);
  } else {
    write_file(target, tree.read(file));
  }
  return target;
}

}  // namespace ampere
