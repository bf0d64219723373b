#include "completion.h"

#include <algorithm>

#include "completion_values.h"

namespace ampere {
namespace {

bool is_hidden(const CLI::Option& option) { return option.get_group().empty(); }
bool is_hidden(const CLI::App& command) { return command.get_group().empty(); }
bool takes_value(const CLI::Option& option) { return option.get_type_size_max() > 0; }
// CLI11 gives this as the largest number of values of an option that takes any number.
bool takes_many(const CLI::Option& option) {
  return option.get_expected_max() >= CLI::detail::expected_max_vector_size;
}

std::vector<const CLI::Option*> positionals(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

const CLI::Option* find_option(const CLI::App& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  return command.get_option_no_throw(name);
}

// Where the words before the last one lead to.
struct Position {
  const CLI::App* command;
  const CLI::Option* open = nullptr;  // an option whose value is next
  std::size_t positional = 0;         // number of those given
  std::vector<const CLI::Option*> given = {};
};

const CLI::App* find_verb(const CLI::App& command, const std::string& name) {
  const auto found =
      command.get_subcommands([&](const CLI::App* verb) { return verb->get_name() == name; });
  return found.empty() ? nullptr : found.front();
}

void step(Position& at, const std::string& word) {
  if (at.open != nullptr) {
    at.open = nullptr;
    return;
  }
  if (word.starts_with("-") && word.size() > 1) {
    const CLI::Option* option = find_option(*at.command, word);
    if (option == nullptr) return;
    at.given.push_back(option);
    if (takes_value(*option) && word.find('=') == std::string::npos) at.open = option;
    return;
  }
  const CLI::App* verb = at.positional == 0 ? find_verb(*at.command, word) : nullptr;
  if (verb != nullptr)
    at = {verb};
  else
    ++at.positional;
}

void offer(Completion& completion, const std::string& typed, CompletionWord candidate) {
  if (candidate.value.starts_with(typed)) completion.candidates.push_back(std::move(candidate));
}

void offer_values(Completion& completion, const CLI::Option& option, const std::string& typed,
                  const std::string& before = "") {
  CompletionValues values = values_of(option, typed);
  for (CompletionWord& candidate : values.candidates)
    if (candidate.value.starts_with(typed))
      completion.candidates.push_back({before + candidate.value, std::move(candidate.description)});
  completion.paths = values.paths;
  completion.before_path = before + values.before_path;
}

void offer_options(Completion& completion, const Position& at, const std::string& typed) {
  for (const CLI::Option* option : at.command->get_options()) {
    const bool used = std::ranges::find(at.given, option) != at.given.end();
    if (option->get_positional() || is_hidden(*option) || (used && !takes_many(*option))) continue;
    for (const std::string& name : option->get_lnames())
      offer(completion, typed, {"--" + name, option->get_description()});
  }
}

void offer_words(Completion& completion, const Position& at, const std::string& typed) {
  if (at.positional == 0)
    for (const CLI::App* verb : at.command->get_subcommands({}))
      if (!is_hidden(*verb)) offer(completion, typed, {verb->get_name(), verb->get_description()});
  const std::vector<const CLI::Option*> expected = positionals(*at.command);
  if (expected.empty()) return;
  const bool further = at.positional < expected.size();
  const CLI::Option& option = further ? *expected[at.positional] : *expected.back();
  if (further || takes_many(option)) offer_values(completion, option, typed);
}

}  // namespace

Completion complete(const CLI::App& program, const std::vector<std::string>& words) {
  Completion completion;
  if (words.empty()) return completion;
  Position at{&program};
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    // What follows is the command of `measure`, which is not ours.
    if (words[i] == "--") {
      completion.paths = CompletionPaths::files;
      return completion;
    }
    step(at, words[i]);
  }
  const std::string& typed = words.back();
  const std::size_t equals = typed.starts_with("--") ? typed.find('=') : std::string::npos;
  if (at.open != nullptr) {
    offer_values(completion, *at.open, typed);
  } else if (equals != std::string::npos) {
    const CLI::Option* option = find_option(*at.command, typed);
    if (option != nullptr && takes_value(*option))
      offer_values(completion, *option, typed.substr(equals + 1), typed.substr(0, equals + 1));
  } else if (typed.starts_with("-")) {
    offer_options(completion, at, typed);
  } else {
    offer_words(completion, at, typed);
  }
  return completion;
}

}  // namespace ampere
