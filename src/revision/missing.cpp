#include "revision/missing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "revision/git.h"
#include "rig/find_python.h"

namespace ampere {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdefABCDEF";
constexpr std::size_t kShaLength = 40, kLongShaLength = 64;
constexpr std::size_t kShortestSha = 7;  // as short as git itself abbreviates

// "HEAD~2" is HEAD, and how to go on from there.
struct RevisionParts {
  std::string base, steps;
};

RevisionParts parts_of(const std::string& revision) {
  const std::size_t end = std::min(revision.find_first_of("~^"), revision.find("@{"));
  RevisionParts parts{revision.substr(0, end), ""};
  if (end != std::string::npos) parts.steps = revision.substr(end);
  if (parts.base.empty() || parts.base == "@") parts.base = "HEAD";
  return parts;
}

// Only those to first parents: how many there are can be counted.
bool goes_to_first_parents(std::string_view steps) {
  if (steps.find_first_not_of("~^0123456789") != std::string_view::npos) return false;
  for (std::size_t at = steps.find('^'); at != std::string_view::npos; at = steps.find('^', at + 1))
    if (at + 1 < steps.size() && steps[at + 1] != '~' && steps[at + 1] != '^') return false;
  return true;
}

bool is_sha(const std::string& name) {
  return (name.size() == kShaLength || name.size() == kLongShaLength) &&
         name.find_first_not_of(kHexDigits) == std::string::npos;
}

bool is_short_sha(const std::string& name) {
  return name.size() >= kShortestSha && name.size() < kShaLength &&
         name.find_first_not_of(kHexDigits) == std::string::npos;
}

// As a word that a shell takes as it is.
std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/:+-@";
  return text.find_first_not_of(kPlain) == std::string::npos ? text : quoted(text);
}

std::string fetch_command(const std::string& remote, const std::string& from,
                          const std::string& into) {
  return fmt::format("`git fetch {} {}`", shell_word(remote), shell_word(from + ":" + into));
}

std::string without_front(const std::string& text, std::string_view front) {
  return text.starts_with(front) ? text.substr(front.size()) : text;
}

class MissingRevision {
 public:
  MissingRevision(const std::string& revision, StopToken stop)
      : revision_(revision), parts_(parts_of(revision)), stop_(stop) {
    for (std::string& line : split(trim(ask_git({"remote"}, stop)), '\n'))
      if (!line.empty()) remotes_.push_back(std::move(line));
    shallow_ = trim(ask_git({"rev-parse", "--is-shallow-repository"}, stop)) == "true";
  }

  std::string why() const {
    const bool head = parts_.base == "HEAD";
    if (ask_git({"rev-list", "-n", "1", "--all"}, stop_).empty() && (head || remotes_.empty()))
      return fmt::format("this repository has no commit yet, and so no revision {}", revision_);
    if (finds(parts_.base)) return why_no_ancestor();
    if (head) return "the branch that is checked out has no commit yet; " + list();
    if (run_git({"check-ref-format", "refs/heads/" + parts_.base}, stop_).status != 0)
      throw Error(ErrorCode::usage, fmt::format("'{}' is not the name of a revision", revision_));
    if (remotes_.empty())
      return fmt::format("{}, and no remote to fetch it from; {}", absent(), list());
    if (is_sha(parts_.base)) return why_no_commit();
    if (is_short_sha(parts_.base)) return why_no_short_name();
    if (const auto why = why_no_remote_branch()) return *why;
    return why_no_name();
  }

 private:
  bool finds(const std::string& revision) const {
    return run_git({"rev-parse", "--verify", "--quiet", revision + "^{commit}"}, stop_).status == 0;
  }

  std::string absent() const {
    return fmt::format("this repository has no revision {}", revision_);
  }
  static std::string list() { return "`git branch --all` and `git tag` list what it has"; }

  std::string why_no_ancestor() const {
    if (shallow_ && !remotes_.empty())
      return fmt::format(
          "the revision {} is not in this clone, which is shallow: it was made "
          "without the history; run `git fetch --unshallow`",
          revision_);
    if (!goes_to_first_parents(parts_.steps))
      return fmt::format("{}, although it has {}; `git log {}` shows what is there", absent(),
                         parts_.base, shell_word(parts_.base));
    const std::string count =
        ask_git({"rev-list", "--count", "--first-parent", parts_.base, "--"}, stop_);
    const std::int64_t before = parse_integer(trim(count), "git rev-list") - 1;
    if (before == 0)
      return fmt::format("{}: the history has no commit before {}", absent(), parts_.base);
    return fmt::format("{}: the history has only {} before {}", absent(), counted(before, "commit"),
                       parts_.base);
  }

  // One commit does not make a complete clone shallow; in a shallow one its history is not wanted,
  // unless the revision is in it.
  std::string why_no_commit() const {
    const char* depth = !shallow_ ? "" : parts_.steps.empty() ? "--depth 1 " : "--unshallow ";
    return fmt::format("{}; run `git fetch {}{} {}`", absent(), depth, shell_word(remote()),
                       parts_.base);
  }

  // No server knows a part of a name.
  std::string why_no_short_name() const {
    return fmt::format(
        "{}; run `git fetch {}{}`, which gets the history of its branches, or give all {} digits "
        "of the commit",
        absent(), shallow_ ? "--unshallow " : "", shell_word(remote()), kShaLength);
  }

  std::optional<std::string> why_no_remote_branch() const {
    const std::string name = without_front(without_front(parts_.base, "refs/"), "remotes/");
    for (const std::string& remote : remotes_) {
      if (!name.starts_with(remote + "/")) continue;
      const std::string branch = name.substr(remote.size() + 1);
      return fmt::format("{}; run {}", absent(),
                         fetch_command(remote, branch, "refs/remotes/" + name));
    }
    return std::nullopt;
  }

  // A branch or a tag. It becomes a remote branch: a fetch into a local one could not be repeated.
  std::string why_no_name() const {
    const std::string below = without_front(parts_.base, "refs/");
    if (below.starts_with("tags/"))
      return fmt::format("{}; run {}", absent(),
                         fetch_command(remote(), "refs/" + below, "refs/" + below));
    const std::string name = without_front(below, "heads/");
    const std::string there = remote() + "/" + name;
    // What is written as @{…} is known of local branches alone.
    const bool local = parts_.steps.starts_with("@{");
    const std::string instead = local ? there : there + parts_.steps;
    if (finds(there))
      return fmt::format("{}, but it has the branch of a remote: write {}", absent(), instead);
    return fmt::format("{}; run {} and write {} instead; {}", absent(),
                       fetch_command(remote(), name, "refs/remotes/" + there), instead, list());
  }

  // origin where there are several.
  const std::string& remote() const {
    const auto origin = std::ranges::find(remotes_, "origin");
    return origin == remotes_.end() ? remotes_.front() : *origin;
  }

  const std::string& revision_;
  RevisionParts parts_;
  StopToken stop_;
  std::vector<std::string> remotes_;
  bool shallow_ = false;
};

}  // namespace

Error missing_revision(const std::string& revision, StopToken stop) {
  return {ErrorCode::unknown, MissingRevision(revision, stop).why()};
}

}  // namespace ampere
