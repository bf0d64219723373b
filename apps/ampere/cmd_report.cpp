#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands.h"
#include "reports.h"

namespace ampere {
namespace {

// The command line, quoted so that it can be typed again.
std::string typed(const std::vector<std::string>& words) {
  std::vector<std::string> quoted{"ampere"};
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool plain = words[i].find_first_of(" \t\n'\"\\$`&|;<>()*?[]#~!{}") == std::string::npos;
    std::string word = words[i];
    for (std::size_t at = 0; (at = word.find('\'', at)) != std::string::npos; at += 4)
      word.replace(at, 1, R"('\'')");
    quoted.push_back(plain && !word.empty() ? word : "'" + word + "'");
  }
  return fmt::format("{}", fmt::join(quoted, " "));
}

}  // namespace

void add_report(CLI::App& app, const Settings& settings, const std::vector<std::string>& words) {
  CLI::App* command = app.add_subcommand(
      "report", "Writes results as a page of figures that opens in any browser, and as SVG files");
  command->require_subcommand(1);
  add_example(*command, "ampere report evaluate --output results.html");
  for (const auto add :
       {add_estimate_report, add_profile_report, add_evaluate_report, add_prune_report})
    add(*command, settings, typed(words));
}

}  // namespace ampere
