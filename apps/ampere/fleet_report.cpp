#include <fmt/format.h>

#include <set>

#include "command_line.h"
#include "fleet_lists.h"
#include "fleet_options.h"
#include "fleet_verbs.h"
#include "report/fleet_json.h"
#include "report_output.h"
#include "terminal.h"

namespace ampere {
namespace {

struct FleetReportArguments {
  ReportOutput output;
  std::string store, list;
};

// The cap that Slurm's licences keep, where it answers.
std::optional<Watts> cap_of_site() try {
  const auto licences = has_slurm() ? open_slurm().licences(kWattLicence) : std::nullopt;
  if (!licences) return std::nullopt;
  return Watts{static_cast<double>(licences->total)};
} catch (const Error& error) {
  if (error.code() == ErrorCode::interrupted) throw;
  print_warning(fmt::format("the report shows no power cap, since {}", error.what()));
  return std::nullopt;
}

void report(const FleetReportArguments& options) {
  check_output(options.output);
  JobTable table(open_fleet_database(options.store, Access::write));
  FleetReport report;
  report.list = chosen_list(table, options.list);
  report.jobs = table.find({report.list, {}});
  report.samples = table.samples(report.list);
  report.accounts = accounts_of(table, report.jobs);
  report.cap = cap_of_site();
  const ReportHead head = head_of(options.output, fmt::format("Jobs of {}", report.list));
  publish(options.output, head, fleet_payload(head, report));
}

}  // namespace

void add_fleet_report(CLI::App& fleet, const Settings& settings) {
  auto options = std::make_shared<FleetReportArguments>();
  CLI::App* command = fleet.add_subcommand(
      "report",
      "Writes a page about a list: timeline by device, power against the cap, predicted against "
      "measured energy, budgets");
  command->add_option("LIST", options->list,
                      "Name of the list of jobs, or its file (default: the latest)");
  add_output_options(*command, options->output, "fleet", command_as_typed());
  add_store_option(*command, options->store, settings);
  add_example(*command, "ampere fleet report nightly --output nightly.html");
  command->callback([options] { report(*options); });
}

}  // namespace ampere
