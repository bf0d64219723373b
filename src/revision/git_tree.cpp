#include "revision/git_tree.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "ampere/error.h"
#include "base/text.h"
#include "revision/git.h"

namespace ampere {
namespace {

// As many as Linux follows.
constexpr int kMostLinks = 40;

EntryKind kind_of_mode(std::string_view mode) {
  if (mode == "120000") return EntryKind::link;
  if (mode == "160000") return EntryKind::submodule;
  if (mode == "040000") return EntryKind::folder;
  return EntryKind::file;
}

std::string target_of_link(const std::string& link, const std::string& target) {
  const std::filesystem::path folder = std::filesystem::path(link).parent_path();
  const std::string path = (folder / target).lexically_normal().generic_string();
  if (target.starts_with('/') || path == ".." || path.starts_with("../"))
    throw Error(ErrorCode::unknown,
                fmt::format("{} is a symbolic link to {}, which is outside of what git has; name "
                            "the file itself",
                            link, target));
  return path == "." ? "" : path;
}

// One line of `ls-tree` or `ls-files --stage`: the words in front of the tab, and the path.
struct ListedEntry {
  std::vector<std::string> words;
  std::string path;
};

std::optional<ListedEntry> read_entry(const std::string& line) {
  const std::size_t tab = line.find('\t');
  if (tab == std::string::npos) return std::nullopt;
  ListedEntry entry{split(line.substr(0, tab), ' '), line.substr(tab + 1)};
  if (entry.words.size() < 3) return std::nullopt;
  return entry;
}

}  // namespace

GitTree GitTree::of_commit(std::string commit, StopToken stop) { return {std::move(commit), stop}; }

GitTree GitTree::of_index(StopToken stop) { return {"", stop}; }

TreeEntry GitTree::look_up(const std::string& path) const {
  if (path.empty()) return {path, EntryKind::folder, ""};
  return commit_.empty() ? look_up_in_index(path) : look_up_in_commit(path);
}

TreeEntry GitTree::look_up_in_commit(const std::string& path) const {
  const std::string out =
      ask_git({"--literal-pathspecs", "ls-tree", "-z", "--full-tree", commit_, "--", path}, stop_);
  const auto entry = read_entry(out.substr(0, out.find('\0')));
  if (!entry || entry->path != path) return {path, EntryKind::nothing, ""};
  return {path, kind_of_mode(entry->words[0]), entry->words[2]};
}

// The index has no folders, only files in them.
TreeEntry GitTree::look_up_in_index(const std::string& path) const {
  const std::string out =
      ask_git({"ls-files", "--stage", "--full-name", "-z", "--", ":(top,literal)" + path}, stop_);
  bool below = false;
  for (const std::string& line : split(out, '\0')) {
    const auto entry = read_entry(line);
    if (!entry) continue;
    constexpr std::string_view kMerged = "0";
    if (entry->path == path && entry->words[2] == kMerged)
      return {path, kind_of_mode(entry->words[0]), entry->words[1]};
    below = below || entry->path.starts_with(path + "/");
  }
  return {path, below ? EntryKind::folder : EntryKind::nothing, ""};
}

// The first part of the path that is a link; kind nothing when none is.
TreeEntry GitTree::first_link(const std::string& path) const {
  for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
    TreeEntry entry = look_up(path.substr(0, end));
    if (entry.kind == EntryKind::link) return entry;
    if (end == std::string::npos) return {path, EntryKind::nothing, ""};
  }
}

TreeEntry GitTree::find(const std::string& path) const {
  std::string at = path;
  for (int followed = 0; followed <= kMostLinks; ++followed) {
    TreeEntry entry = look_up(at);
    if (entry.kind != EntryKind::nothing && entry.kind != EntryKind::link) return entry;
    const TreeEntry link = first_link(at);
    if (link.kind == EntryKind::nothing) return entry;
    at = target_of_link(link.path, read(link) + at.substr(link.path.size()));
  }
  throw Error(ErrorCode::unknown,
              fmt::format("{} is a symbolic link that leads in a circle", path));
}

std::string GitTree::read(const TreeEntry& file) const {
  return ask_git({"cat-file", "blob", file.object}, stop_);
}

}  // namespace ampere
