#include "base/command_words.h"

#include <fmt/format.h>
#include <wordexp.h>

#include "ampere/error.h"
#include "base/shell_word.h"

namespace ampere {
namespace {

const char* fault_of(int status) {
  switch (status) {
    case WRDE_BADCHAR:
      return "contains a pipe, a redirection, a parenthesis or several commands";
    case WRDE_BADVAL:
      return "names a variable that is not set";
    case WRDE_CMDSUB:
      return "contains another command";
    case WRDE_SYNTAX:
      return "has a quote or a brace without its end";
    default:
      return "has no words";
  }
}

// The remedy is for what a shell understands; an unset variable or quote would not work there.
bool shell_would_help(int status) { return status == WRDE_BADCHAR || status == WRDE_CMDSUB; }

}  // namespace

std::vector<std::string> command_words(const std::string& command, const std::string& what) {
  wordexp_t found{};
  const int status = wordexp(command.c_str(), &found, WRDE_NOCMD | WRDE_UNDEF);
  std::vector<std::string> words;
  if (status == 0) words.assign(found.we_wordv, found.we_wordv + found.we_wordc);
  // Of the faults, only this one leaves something to be freed.
  if (status == 0 || status == WRDE_NOSPACE) wordfree(&found);
  if (words.empty())
    throw Error(
        ErrorCode::usage,
        fmt::format(
            "{} is run without a shell, but {}{}", what, fault_of(status),
            shell_would_help(status) ? fmt::format("; write sh -c {}", shell_word(command)) : ""));
  return words;
}

}  // namespace ampere
