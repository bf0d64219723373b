#include "command_line.h"
#include "commands.h"
#include "reports.h"

namespace ampere {

void add_report(CLI::App& app, const Settings& settings) {
  CLI::App* command = app.add_subcommand(
      "report", "Writes results as a page of figures that opens in any browser, and as SVG files");
  command->require_subcommand(1);
  add_example(*command, "ampere report evaluate --output results.html");
  for (const auto add : {add_estimate_report, add_profile_report, add_evaluate_report,
                         add_prune_report, add_choose_report, add_generation_report})
    add(*command, settings, command_as_typed());
}

}  // namespace ampere
