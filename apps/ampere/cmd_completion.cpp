#include <fmt/format.h>

#include "base/plain_text.h"
#include "commands.h"
#include "completion.h"
#include "completion_scripts.h"
#include "options.h"

namespace ampere {
namespace {

void print_script(const std::string& shell) {
  if (shell == "bash") fmt::print("{}", bash_completion());
  if (shell == "zsh") fmt::print("{}", zsh_completion());
  if (shell == "fish") fmt::print("{}", fish_completion());
}

const char* directive(CompletionPaths paths) {
  switch (paths) {
    case CompletionPaths::none:
      return "none";
    case CompletionPaths::files:
      return "files";
    case CompletionPaths::folders:
      return "folders";
  }
  return "none";
}

// The first line says whether paths may follow, and behind what; then one candidate per line.
void print_completion(const Completion& completion) {
  fmt::print("{}\t{}\n", directive(completion.paths), completion.before_path);
  for (const CompletionWord& candidate : completion.candidates)
    fmt::print("{}\t{}\n", plain_text(candidate.value), plain_text(candidate.description));
}

}  // namespace

void add_completion(CLI::App& app, const std::vector<std::string>& words) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "completion", "Prints the script that completes commands of ampere in a shell");
  command->add_option("SHELL", *shell, "Shell to complete in")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  add_example(*command, "source <(ampere completion bash)");
  command->callback([shell] { print_script(*shell); });

  // What those scripts ask: `ampere complete -- WORDS`.
  CLI::App* asked = app.add_subcommand("complete")->group("");
  asked->callback([&app, &words] { print_completion(complete(app, words)); });
}

}  // namespace ampere
