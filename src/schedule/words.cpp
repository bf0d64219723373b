#include <array>

#include "ampere/error.h"
#include "base/text.h"
#include "schedule/schedule.h"

namespace ampere {
namespace {

template <class Word, std::size_t count>
Word parse_word(const std::string& text, const std::array<Word, count>& words, const char* what) {
  std::vector<std::string> names;
  for (const Word word : words) {
    if (text == to_string(word)) return word;
    names.emplace_back(to_string(word));
  }
  std::string list = names.front();
  for (std::size_t i = 1; i < names.size(); ++i)
    list += (i + 1 == names.size() ? " or " : ", ") + names[i];
  throw Error(ErrorCode::usage, std::string(what) + " '" + text + "' is unknown; it is " + list +
                                    suggestion(text, names));
}

}  // namespace

const char* to_string(Objective objective) {
  switch (objective) {
    case Objective::energy:
      return "energy";
    case Objective::time:
      return "time";
    case Objective::carbon:
      return "carbon";
    case Objective::price:
      return "price";
  }
  return "unknown";
}

Objective parse_objective(const std::string& text) {
  return parse_word(
      text, std::array{Objective::energy, Objective::time, Objective::carbon, Objective::price},
      "the objective");
}

const char* to_string(Start start) { return start == Start::earliest ? "earliest" : "best"; }

Start parse_start(const std::string& text) {
  return parse_word(text, std::array{Start::earliest, Start::best}, "the start");
}

}  // namespace ampere
