#include <fmt/format.h>

#include "ampere/error.h"
#include "front_door.h"
#include "reports.h"

namespace ampere {
namespace {

struct ProfileReportArguments {
  ReportOutput output;
  std::string profile, store;
};

void report_profile(const ProfileReportArguments& options) {
  check_output(options.output);
  const Session session = open_session(options.store, Access::read);
  const ProfileRow row = session.find_any_profile(options.profile);
  if (session.general_counts(row))
    throw Error(
        ErrorCode::unknown,
        fmt::format("profile {} is for any setup and has no blocks to show; give another", row.id),
        Remedy::list_profiles);
  const ReportHead head =
      head_of(options.output, fmt::format("{}, {}", row.device.name, to_string(row.setup)));
  publish(options.output, head,
          profile_payload(head, session.store(), row, session.methods_of(row)));
}

}  // namespace

void add_profile_report(CLI::App& report, const Settings& settings, const std::string& words) {
  auto options = std::make_shared<ProfileReportArguments>();
  CLI::App* command = report.add_subcommand(
      "profile", "Shows what each block kind costs on a device, as measured and as fitted");
  command->add_option(
      "ID", options->profile,
      "Profile to show, by its id, fingerprint or part of the device's name (default: the latest)");
  add_store_option(*command, options->store, settings);
  add_output_options(*command, options->output, "profile", words);
  add_example(*command, "ampere report profile 1 --output xavier.html");
  command->callback([options] { report_profile(*options); });
}

}  // namespace ampere
