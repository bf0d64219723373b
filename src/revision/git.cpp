#include "revision/git.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "base/plain_text.h"
#include "base/text.h"

namespace ampere {
namespace {

// A partial clone may fetch what it lacks, from far away.
constexpr Seconds kPatience{300};
constexpr std::size_t kMostSaid = 300;

}  // namespace

ProgramEnd run_git(const std::vector<std::string>& words, StopToken stop) {
  std::vector<std::string> argv{"env", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C", "git"};
  argv.insert(argv.end(), words.begin(), words.end());
  ProgramEnd end = run_program(argv, "", kPatience, stop);
  constexpr int kNotFound = 127;
  if (end.status == kNotFound)
    throw Error(ErrorCode::unknown,
                "git is not installed, and a file at a revision is read by it; install git, or "
                "give the path of a file");
  return end;
}

std::string ask_git(const std::vector<std::string>& words, StopToken stop) {
  ProgramEnd end = run_git(words, stop);
  if (end.status != 0)
    throw Error(ErrorCode::failed,
                fmt::format("git {} failed: {}", words.front(),
                            plain_text(std::string(trim(end.err))).substr(0, kMostSaid)));
  return std::move(end.out);
}

}  // namespace ampere
