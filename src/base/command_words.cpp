#include "base/command_words.h"

#include <fmt/format.h>
#include <wordexp.h>

#include <utility>

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

// Wildcards in a word search all folders that those before them have found, so that a few words
// could take minutes and all memory.
constexpr int kMostOfAWord = 2, kMostOfAll = 4;  // names of files and folders with wildcards

// Finds what wordexp must not be given. That of glibc crashes on some arithmetic, and it does not
// respect quotes in a word with a wildcard or after a `~`.
class Hazards {
 public:
  explicit Hazards(const std::string& command) {
    const bool loses_quotes = command.find_first_of("*?[~") != std::string::npos;
    calculates_ = command.find("$[") != std::string::npos ||
                  (loses_quotes && command.find("$((") != std::string::npos);
    const bool has_home = command.find('~') != std::string::npos;
    char quote = 0;
    for (std::size_t i = 0; i < command.size() && !too_many_; ++i) {
      const char c = command[i];
      if (c == '\\' && quote != '\'')
        see(++i < command.size() ? command[i] : c, false);
      else if (c == '$' && quote != '\'' && command.compare(i + 1, 2, "((") == 0)
        calculates_ = true;
      else if (c == quote)
        quote = 0;
      else if (quote == 0 && (c == '\'' || c == '"'))
        quote = c;
      else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n'))
        end_word();
      else
        see(c, quote == 0 || has_home);
    }
  }
  // Empty where there is none.
  std::string fault() const {
    if (calculates_) return "calculates, with $[ or $((";
    if (!too_many_) return "";
    return fmt::format("has more than {} names with wildcards in a word, or more than {} in all",
                       kMostOfAWord, kMostOfAll);
  }

 private:
  void see(char c, bool is_bare) {
    if (c == '/') in_name_ = false;
    if (c != '*' && c != '?' && c != '[') return;
    if (!std::exchange(in_name_, true)) ++of_word_;
    bare_ |= is_bare;
    too_many_ = bare_ && (of_word_ > kMostOfAWord || before_ + of_word_ > kMostOfAll);
  }
  void end_word() {
    if (bare_) before_ += of_word_;
    of_word_ = 0;
    bare_ = in_name_ = false;
  }

  int of_word_ = 0, before_ = 0;
  bool in_name_ = false;  // with a wildcard
  bool bare_ = false, too_many_ = false, calculates_ = false;
};

Error refusal(const std::string& command, const std::string& what, const std::string& fault,
              bool shell_would_help) {
  return Error(
      ErrorCode::usage,
      fmt::format("{} is run without a shell, but {}{}", what, fault,
                  shell_would_help ? fmt::format("; write sh -c {}", shell_word(command)) : ""));
}

// The remedy is for what a shell understands; an unset variable or quote would not work there.
bool shell_would_help(int status) { return status == WRDE_BADCHAR || status == WRDE_CMDSUB; }

}  // namespace

std::vector<std::string> command_words(const std::string& command, const std::string& what) {
  if (const std::string fault = Hazards(command).fault(); !fault.empty())
    throw refusal(command, what, fault, true);
  wordexp_t found{};
  const int status = wordexp(command.c_str(), &found, WRDE_NOCMD | WRDE_UNDEF);
  std::vector<std::string> words;
  if (status == 0) words.assign(found.we_wordv, found.we_wordv + found.we_wordc);
  // Of the faults, only this one leaves something to be freed.
  if (status == 0 || status == WRDE_NOSPACE) wordfree(&found);
  if (words.empty()) throw refusal(command, what, fault_of(status), shell_would_help(status));
  return words;
}

}  // namespace ampere
