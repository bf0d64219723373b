#include "profile_options.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "ranges.h"

namespace ampere {
namespace {

int checked(const std::string& name, int value) {
  if (value < 1 || value > kMostCount)
    throw Error(ErrorCode::usage,
                fmt::format("{}: {} is not between 1 and {}", name, value, kMostCount));
  return value;
}

}  // namespace

const char* limit_text(bool stopped) {
  return stopped ? "; stopped by the time limit: the same command continues it" : "";
}

void add_dual_options(CLI::App& command, DualOptions& options, OtherNetworks others) {
  command
      .add_option("--timings", options.timings,
                  "dual: largest number of blocks to time alone; an eighth as many are added at "
                  "round widths")
      ->check(whole_from_to(1, kMostCount))
      ->capture_default_str();
  const bool qualified = others == OtherNetworks::yes;
  if (qualified) options.networks_option = "--profile-networks";
  CLI::Option* networks =
      command
          .add_option(options.networks_option, options.networks,
                      "dual: number of networks whose energy is measured for the profile")
          ->check(whole_from_to(1, kMostCount))
          ->capture_default_str();
  if (!qualified) add_hidden_alias(command, networks, "--profile-networks");
  add_hidden_alias(command, networks, "--windows");
}

ProfileOptions profile_options(const MeasuringOptions& measuring, const DualOptions& dual) {
  ProfileOptions options;
  measuring.precision();  // refuses what is out of range
  options.measure_error = measuring.relative_error;
  options.steady = measuring.steady;
  if (measuring.point_seconds) options.point_seconds = Seconds(*measuring.point_seconds);
  options.timings = checked("--timings", dual.timings);
  options.networks = checked(dual.networks_option, dual.networks);
  return options;
}

}  // namespace ampere
