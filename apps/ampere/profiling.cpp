#include "profiling.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "ampere/zoo.h"
#include "model/draw.h"
#include "print.h"

namespace ampere {
namespace {

constexpr int kDrawn = 300;    // versions of each network that blocks are taken from
constexpr int kMost = 100000;  // timings or networks
constexpr unsigned kSeed = 0x5eed;

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) fmt::print(stderr, "ampere: warning: {}\n", warning);
}

int checked(const std::string& name, int value) {
  if (value < 1 || value > kMost)
    throw Error(ErrorCode::usage,
                fmt::format("{}: {} is not between 1 and {}", name, value, kMost));
  return value;
}

}  // namespace

void show_kind(ProgressLine& line, const KindProgress& now) {
  line.show(fmt::format("[{}/{}] {}: {} of at most {} points{}, uncertainty {}, at most {} left",
                        now.index + 1, now.kinds, now.title, now.points, now.limit,
                        now.failures > 0 ? fmt::format(" ({} failed)", now.failures) : "",
                        now.uncertainty ? percent(*now.uncertainty) : "unknown",
                        duration(now.left.count())));
  if (now.finished) line.keep();
}

void show_dual(ProgressLine& line, const DualProgress& now) {
  line.show(fmt::format("{} of {} {}, about {} left", now.done, now.of, now.what,
                        duration(now.left.count())));
  if (now.done == now.of) line.keep();
}

const char* limit_text(bool stopped) {
  return stopped ? "; stopped by the time limit: the same command continues it" : "";
}

void add_dual_options(CLI::App& command, DualOptions& options, OtherNetworks others) {
  command
      .add_option("--timings", options.timings,
                  "dual: largest number of blocks to time alone; an eighth as many are added at "
                  "round widths")
      ->capture_default_str();
  const bool qualified = others == OtherNetworks::yes;
  if (qualified) options.networks_option = "--profile-networks";
  CLI::Option* networks =
      command
          .add_option(options.networks_option, options.networks,
                      "dual: number of networks whose energy is measured for the profile")
          ->capture_default_str();
  if (!qualified) add_hidden_alias(command, networks, "--profile-networks");
  add_hidden_alias(command, networks, "--windows");
}

DualProfileOptions dual_profile_options(const MeasuringOptions& measuring,
                                        const DualOptions& options) {
  DualProfileOptions result;
  result.timings = checked("--timings", options.timings);
  result.networks = checked(options.networks_option, options.networks);
  result.precision = measuring.precision(result.precision);
  return result;
}

DualTask dual_task(std::span<const std::string> specs, std::span<const Model> models) {
  DualTask task{{models.begin(), models.end()}, {}};
  std::vector<std::vector<Model>> drawn;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const bool family = std::ranges::find(zoo(), specs[i], &ZooEntry::name) != zoo().end();
    drawn.push_back(family ? draw_networks(specs[i], kDrawn, kSeed)
                           : draw_narrower(models.subspan(i, 1), kDrawn, kSeed));
  }
  for (int round = 0; round < kDrawn; ++round)
    for (const std::vector<Model>& networks : drawn)
      task.drawn.push_back(networks[static_cast<std::size_t>(round)]);
  return task;
}

ProfileSummary profile_with_progress(std::span<const Model> models, Rig& rig,
                                     const std::string& rig_name, Store& store, const Setup& setup,
                                     const ProfileOptions& options) {
  ProgressLine line;
  const auto show = [&](const KindProgress& now) { show_kind(line, now); };
  ProfileSummary summary =
      run_profile(plan_profile(models), rig, rig_name, store, setup, options, show);
  print_warnings(summary.warnings);
  return summary;
}

ProfileSummary tests_with_progress(std::span<const PlannedKind> plan, Rig& rig,
                                   const std::string& rig_name, Store& store, const Setup& setup,
                                   const ProfileOptions& options, const TestWish& wish) {
  ProgressLine line;
  const auto show = [&](const TestProgress& now) {
    line.show(fmt::format("{}: {} of at most {} test points, at most {} left", now.title, now.done,
                          now.of, duration(now.left.count())));
  };
  ProfileSummary summary = measure_tests(plan, rig, rig_name, store, setup, options, wish, show);
  print_warnings(summary.warnings);
  return summary;
}

DualSummary dual_profile_with_progress(const DualTask& task, Rig& rig, const std::string& rig_name,
                                       Store& store, const Setup& setup,
                                       const DualProfileOptions& options) {
  ProgressLine line;
  const auto show = [&](const DualProgress& now) { show_dual(line, now); };
  DualSummary summary = run_dual_profile(task, rig, rig_name, store, setup, options, show);
  print_warnings(summary.warnings);
  return summary;
}

void profile_for_method(const std::string& method, std::span<const std::string> specs,
                        std::span<const Model> models, Rig& rig, const std::string& rig_name,
                        Store& store, const Setup& setup, const MeasuringOptions& measuring) {
  if (method == "dual" || (method != "ampere" && rig.can_time())) {
    dual_profile_with_progress(dual_task(specs, models), rig, rig_name, store, setup,
                               dual_profile_options(measuring));
    return;
  }
  ProfileOptions options;
  options.precision = measuring.precision(options.precision);
  profile_with_progress(models, rig, rig_name, store, setup, options);
}

}  // namespace ampere
