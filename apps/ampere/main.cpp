// The ampere program: estimates what training a network will cost on a device before it is run.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "ampere/error.h"
#include "base/plain_text.h"
#include "base/text.h"
#include "colour.h"
#include "command_line.h"
#include "commands.h"
#include "interrupt.h"
#include "remedies.h"
#include "terminal.h"
#include "version.h"

namespace {

// Messages quote files, arguments and other programs, which may hold anything.
int report(const std::string& message, ampere::ErrorCode code) {
  fmt::print(stderr, "{} {}\n", ampere::toned("ampere:", ampere::Tone::error),
             ampere::plain_lines(message));
  return ampere::exit_status(code);
}

// CLI11 adds an empty line for the group of hidden options.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
    for (std::size_t at; (at = text.find("\n\n\n")) != std::string::npos;) text.erase(at, 1);
    return text;
  }
};

// CLI11 counts values: "--device: At Most 1 required but received 2".
std::string message_of(const CLI::ParseError& error) {
  const std::string text = error.what();
  constexpr std::string_view kCount = ": At Most 1 required but received ";
  const std::size_t at = text.find(kCount);
  if (at == std::string::npos) return text;
  const std::string times = text.substr(at + kCount.size());
  return fmt::format("{} is given {}", text.substr(0, at),
                     times == "2" ? "twice" : times + " times");
}

// CLI11 only says that a subcommand is required; this says which one was probably meant.
void check_verb(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> verbs;
  for (const CLI::App* command : app.get_subcommands({})) verbs.push_back(command->get_name());
  if (std::find(verbs.begin(), verbs.end(), argv[1]) != verbs.end()) return;
  throw ampere::Error(ampere::ErrorCode::usage,
                      fmt::format("'{}' is not a verb of ampere{}; see ampere --help", argv[1],
                                  ampere::suggestion(argv[1], verbs)));
}

// Cuts off what follows "--": the command to be measured or completed, whose options are not ours.
std::vector<std::string> cut_command(int& argc, char** argv) {
  const std::string_view verb = argc < 2 ? "" : argv[1];
  if (verb != "measure" && verb != "complete") return {};
  char** const end = argv + argc;
  char** const mark = std::find(argv, end, std::string_view("--"));
  argc = static_cast<int>(mark - argv);
  return {mark == end ? end : mark + 1, end};
}

// Adding all options of all verbs takes longer than many an estimate, so that only the verb that is
// asked for is added, where it does not describe the others.
void add_verbs(CLI::App& app, const ampere::Settings& settings, std::string_view asked,
               const std::vector<std::string>& command, int& status) {
  using namespace ampere;
  const std::vector<std::pair<std::string_view, std::function<void()>>> verbs{
      {"doctor", [&] { add_doctor(app, settings); }},
      {"models", [&] { add_models(app); }},
      {"show", [&] { add_show(app); }},
      {"trace", [&] { add_trace(app, settings); }},
      {"measure", [&] { add_measure(app, settings, command, status); }},
      {"run", [&] { add_run(app, settings); }},
      {"profile", [&] { add_profile(app, settings); }},
      {"profiles", [&] { add_profiles(app, settings); }},
      {"estimate", [&] { add_estimate(app, settings); }},
      {"choose", [&] { add_choose(app, settings); }},
      {"plan", [&] { add_plan(app, settings); }},
      {"diff", [&] { add_diff(app, settings, status); }},
      {"evaluate", [&] { add_evaluate(app, settings); }},
      {"kernels", [&] { add_kernels(app, settings); }},
      {"prune", [&] { add_prune(app, settings); }},
      {"report", [&] { add_report(app, settings); }},
      {"score", [&] { add_score(app, settings); }},
      {"fleet", [&] { add_fleet(app, settings, status); }},
      {"serve", [&] { add_serve(app, settings); }},
      {"store", [&] { add_store(app); }}};
  const auto found = std::ranges::find(verbs, asked, [](const auto& verb) { return verb.first; });
  if (found != verbs.end()) return found->second();
  for (const auto& [name, add] : verbs) add();
  add_completion(app, command);
  add_manual(app);
}

int run(int argc, char** argv) {
  std::vector<std::string> warnings;
  const ampere::Settings settings = ampere::load_settings(warnings);
  for (const std::string& warning : warnings) ampere::print_warning(ampere::plain_lines(warning));

  CLI::App app(
      "Tells what training a neural network will cost on your device, in joules and seconds, "
      "before "
      "you run it.",
      "ampere");
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_version_flag("--version", "ampere " AMPERE_VERSION,
                       "Print the version; with --json also the build, and the protocols, stores "
                       "and files that this program knows");
  app.require_subcommand(1);
  app.fallthrough(false);
  int status = 0;
  ampere::remember_command_line({argv + std::min(argc, 1), argv + argc});
  const std::vector<std::string> command = cut_command(argc, argv);
  add_verbs(app, settings, argc < 2 ? "" : argv[1], command, status);
  check_verb(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    return report(fmt::format("{}\nRun with --help for more information.", message_of(error)),
                  ampere::ErrorCode::usage);
  }
  return status;
}

// What was printed may still be on its way. Success must not be claimed for an answer that never
// arrived.
int with_output_written(int status) {
  std::cout.flush();
  const bool lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || std::cout.bad();
  if (!lost) return status;
  const int failed = report(
      fmt::format("standard output cannot be written: {}", std::generic_category().message(errno)),
      ampere::ErrorCode::failed);
  return status == 0 ? failed : status;
}

// `help [verb]`, which people type before they know the options.
std::vector<char*> with_words_for_options(int argc, char** argv) {
  static char help[] = "--help";
  std::vector<char*> words(argv, argv + argc);
  if (argc < 2) return words;
  const std::string_view first = argv[1];
  if (first == "help") {
    words.erase(words.begin() + 1);
    words.push_back(help);
  }
  return words;
}

}  // namespace

int main(int argc, char** argv) {
  ampere::install_interrupt_handler();
  try {
    std::vector<char*> words = with_words_for_options(argc, argv);
    if (const std::span<char* const> rest(words.begin() + std::min(argc, 1), words.end());
        ampere::asks_for_version(rest)) {
      ampere::print_version(rest);
      return with_output_written(0);
    }
    return with_output_written(run(static_cast<int>(words.size()), words.data()));
  } catch (const ampere::Error& error) {
    return report(ampere::with_remedy(error), error.code());
  } catch (const std::bad_alloc&) {
    return report("out of memory", ampere::ErrorCode::failed);
  } catch (const std::exception& error) {
    return report(error.what(), ampere::ErrorCode::failed);
  }
}
