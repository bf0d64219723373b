#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "base/json_text.h"
#include "base/or_null.h"
#include "base/text.h"
#include "commands.h"
#include "front_door.h"
#include "options.h"
#include "print.h"
#include "profile_options.h"
#include "ranges.h"
#include "record/record_json.h"
#include "terminal.h"
#include "tests_output.h"

namespace ampere {
namespace {

struct ProfileArguments {
  std::vector<std::string> models;
  ModelSource source;
  SetupOptions setup;
  RigSelection rig;
  MeasuringOptions measuring;
  std::string store, guide = "energy", method;
  int points = ProfileOptions{}.points, test_points = 0;
  double tolerance = ProfileOptions{}.tolerance;
  DualOptions blocks;
  double time_limit = 0;
  bool general = false;
  int operations = GeneralOptions{}.operations, programs = GeneralOptions{}.programs;
  bool dry_run = false, json = false;
};

GeneralOptions general_options(const ProfileArguments& options) {
  GeneralOptions general;
  general.operations = options.operations;
  general.programs = options.programs;
  for (const std::string& file : options.models) {
    if (!file.ends_with(".program"))
      throw Error(ErrorCode::usage,
                  fmt::format("--general profiles the device for every network: leave {} out, or "
                              "name a traced NAME.program",
                              file));
    general.own.push_back(load_program(file));
  }
  const ProfileOptions measuring = profile_options(options.measuring);
  general.precision = precision_of(measuring, general.precision);
  if (options.time_limit > 0) general.time_limit = Seconds(options.time_limit);
  return general;
}

ProfileOptions profile_options(const ProfileArguments& options) {
  const auto refuse = [](const std::string& why) { throw Error(ErrorCode::usage, why); };
  if (options.points < 1 || options.points > 1000)
    refuse(fmt::format("--points: {} is not between 1 and 1000", options.points));
  if (options.test_points < 0 || options.test_points > 1000)
    refuse(fmt::format("--test-points: {} is not between 0 and 1000", options.test_points));
  if (!(options.tolerance > 0))
    refuse(fmt::format("--tolerance: {} is not positive", options.tolerance));
  if (options.time_limit < 0)
    refuse(fmt::format("--time-limit: {} is negative", options.time_limit));
  ProfileOptions result = profile_options(options.measuring, options.blocks);
  result.points = options.points;
  result.tolerance = options.tolerance;
  result.guide = options.guide == "time" ? Guide::time : Guide::energy;
  result.test_points = options.test_points;
  result.seed = static_cast<std::uint64_t>(options.rig.seed);
  if (options.time_limit > 0) result.time_limit = Seconds(options.time_limit);
  return result;
}

// Before anything is measured. Without --method, a rig that can time blocks is profiled for dual.
void check_tests(const ProfileArguments& options, const Rig& rig) {
  const bool dual = options.method == "dual" || (options.method.empty() && rig.can_time());
  if (options.test_points > 0 && dual)
    throw Error(ErrorCode::usage,
                "--test-points: the dual method is tested on whole networks and has no fits per "
                "kind; add --method ampere");
}

ProfileRequest request_of(const ProfileArguments& options) {
  if (options.models.empty())
    throw Error(ErrorCode::usage, "profile needs a MODEL; `ampere models` lists them");
  ProfileRequest request{{}, options.setup.setup(), options.method, profile_options(options)};
  for (const std::string& spec : options.models)
    request.models.push_back(options.source.open(spec));
  return request;
}

Json preview_json(const ProfilePreview& preview, const DeviceInfo& device) {
  if (preview.kinds.empty())
    return {{"device", device.name},
            {"at_most_timings", preview.timings},
            {"at_most_networks", preview.networks},
            {"about_s", preview.expected.count()}};
  Json kinds = Json::array();
  for (const PlannedKindWork& kind : preview.kinds)
    kinds.push_back({{"kind", kind.title},
                     {"role", to_string(kind.role)},
                     {"known", kind.known},
                     {"at_most", kind.at_most},
                     {"at_most_tests", kind.at_most_tests}});
  return {{"device", device.name},
          {"at_most_points", preview.points},
          {"at_most_test_points", preview.test_points},
          {"about_points", preview.expected_points},
          {"about_s", preview.expected.count()},
          {"kinds", std::move(kinds)}};
}

void print_preview(const ProfilePreview& preview, const DeviceInfo& device) {
  const std::string about = preview.expected < Seconds(1)
                                ? "less than 1 s"
                                : "about " + duration(preview.expected.count());
  if (preview.kinds.empty()) {
    const bool general = preview.method == "operations";
    fmt::print("at most {} to time alone and {} to measure, {} on {}\n",
               counted(preview.timings, general ? "operation" : "block"),
               counted(preview.networks, general ? "program" : "network"), about, device.name);
    return;
  }
  std::vector<std::vector<std::string>> rows{{"at most", "known", "role", "kind", "up to"}};
  for (const PlannedKindWork& kind : preview.kinds)
    rows.push_back({std::to_string(kind.at_most), std::to_string(kind.known), to_string(kind.role),
                    kind.title, feature_text(feature_names(kind.features), kind.upper)});
  print_table(rows);
  fmt::print("{}, at most {}{}, probably {}, {} on {}\n",
             counted(std::ssize(preview.kinds), "kind"), counted(preview.points, "point"),
             preview.test_points > 0 ? " and " + counted(preview.test_points, "test point") : "",
             preview.expected_points, about, device.name);
}

ProfilePreview preview_of(const ProfileArguments& options, Rig& rig) {
  if (options.general)
    return open_preview_session(options.store).preview(general_options(options), rig);
  const ProfileRequest request = request_of(options);
  check_tests(options, rig);
  return open_preview_session(options.store).preview(request, rig);
}

void dry_run(const ProfileArguments& options) {
  const auto rig = options.rig.open();
  const ProfilePreview preview = preview_of(options, *rig);
  if (options.json)
    fmt::print("{}\n", json_text(preview_json(preview, rig->device())));
  else
    print_preview(preview, rig->device());
}

double overhead_of(const Summary& summary) {
  return summary.elapsed.count() > 0 ? 1 - summary.measuring / summary.elapsed : 0;
}

Json check_json(const std::optional<CrossValidation>& check) {
  if (!check) return nullptr;
  return {{"networks", check->networks},
          {"energy_mape", check->energy_mape},
          {"time_mape", check->time_mape}};
}

Json drift_json(const std::optional<Drift>& drift) {
  if (!drift) return nullptr;
  return {{"repeats", drift->repeats},
          {"energy", or_null(drift->energy)},
          {"time", or_null(drift->time)},
          {"significant", drift->significant}};
}

Json summary_json(const ProfileSummary& summary, const DeviceInfo& device,
                  const std::optional<Session::Tests>& tests) {
  return {{"profile", std::to_string(summary.profile)},
          {"method", summary.method},
          {"device", device_brief_json(device)},
          {"source", to_string(device.source)},
          {"timed", summary.timed},
          {"measured", summary.measured},
          {"failed", summary.failed},
          {"seconds", summary.elapsed.count()},
          {"overhead", overhead_of(summary)},
          {"cross_validated", check_json(summary.cross_validated)},
          {"drift", drift_json(summary.drift)},
          {"measured_elsewhere", summary.measured_elsewhere},
          {"stopped_by_time_limit", summary.stopped_by_time_limit},
          {"tests", tests ? tests_json(*tests) : Json(nullptr)},
          {"warnings", summary.warnings}};
}

void print_summary(const ProfileSummary& summary, const DeviceInfo& device) {
  const bool general = summary.method == "operations";
  const bool with_blocks = summary.method == "dual" || general;
  fmt::print(
      "profile {} on {} ({}): {}{} measured, {} failed, in {:.1f} s ({} of it outside "
      "measuring){}\n",
      summary.profile, device.name, to_string(device.source),
      with_blocks ? counted(summary.timed, general ? "operation" : "block") + " timed, " : "",
      counted(summary.measured, general       ? "program"
                                : with_blocks ? "network"
                                              : "point"),
      summary.failed, summary.elapsed.count(), percent(overhead_of(summary)),
      limit_text(summary.stopped_by_time_limit));
  if (summary.cross_validated)
    fmt::print("cross-validated on its {} {}: energy within {} on average, time within {}\n",
               summary.cross_validated->networks,
               general ? "programs, their families left out" : "networks",
               percent(summary.cross_validated->energy_mape),
               percent(summary.cross_validated->time_mape));
  if (summary.measured_elsewhere > 0)
    fmt::print("its energies also rest on {} of other sittings with such a device\n",
               counted(summary.measured_elsewhere, "program"));
}

// A profile that had its time and can estimate nothing is no success.
void require_answers(const Session& session, const ProfileSummary& summary) {
  if (summary.stopped_by_time_limit) return;
  const ProfileRow row = session.find_profile(std::to_string(summary.profile));
  if (session.methods_of(row).empty())
    throw Error(ErrorCode::failed,
                fmt::format("nothing can be estimated from profile {} yet: {}", row.id,
                            row.failures > 0 ? counted(row.failures, "measurement") + " failed"
                                             : "too little was measured"));
}

// Networks that were left out are so far off only where measurements scatter.
void warn_of_unsteadiness(const ProfileSummary& summary, const ProfileArguments& options) {
  constexpr double kUnsteady = 0.3;
  const std::optional<CrossValidation>& check = summary.cross_validated;
  if (!check || check->energy_mape < kUnsteady) return;
  print_warning(fmt::format(
      "the machine was too unsteady to profile: networks left out of the fit are {} off on "
      "average; {}",
      percent(check->energy_mape),
      options.measuring.steady
          ? "measure while nothing else runs"
          : "measure while nothing else runs, or with --steady into another store"));
}

void profile(const ProfileArguments& options) {
  ProfileRequest request = request_of(options);
  TerminalListener listener;
  Session session = open_session(options.store, Access::write, &listener);
  const auto rig = options.rig.open();
  check_tests(options, *rig);
  const NamedRig named{*rig, options.rig.rig};
  const ProfileSummary summary = session.profile(request, named);
  std::optional<Session::Tests> tests;
  if (options.test_points > 0) {
    // With the time that the profile left.
    if (auto& limit = request.options.time_limit)
      limit = std::max(Seconds(0), *limit - summary.elapsed);
    tests = session.test(request, named);
  }
  listener.finish();
  print_warnings(summary.warnings);
  warn_of_unsteadiness(summary, options);
  if (tests) print_warnings(tests->summary.warnings);
  if (options.json) {
    fmt::print("{}\n", json_text(summary_json(summary, rig->device(), tests)));
  } else {
    print_summary(summary, rig->device());
    if (tests) print_tests(*tests);
  }
  require_answers(session, summary);
}

void profile_generally(const ProfileArguments& options) {
  const GeneralOptions general = general_options(options);
  TerminalListener listener;
  Session session = open_session(options.store, Access::write, &listener);
  const auto rig = options.rig.open();
  const ProfileSummary summary = session.profile_generally(general, {*rig, options.rig.rig});
  listener.finish();
  print_warnings(summary.warnings);
  if (options.json)
    fmt::print("{}\n", json_text(summary_json(summary, rig->device(), {})));
  else
    print_summary(summary, rig->device());
  require_answers(session, summary);
}

}  // namespace

void add_profile(CLI::App& app, const Settings& settings) {
  auto options = std::make_shared<ProfileArguments>();
  CLI::App* command = app.add_subcommand("profile",
                                         "Measures what is missing to estimate these networks and "
                                         "all their narrower versions; continues where it stopped");
  add_models_argument(*command, options->models);
  add_onnx_options(*command, options->source);
  add_setup_options(*command, options->setup, settings);
  add_rig_options(*command, options->rig, settings);
  add_measuring_options(*command, options->measuring, {}, kDualPointSeconds);
  add_steady_option(*command, options->measuring, options->rig);
  add_store_option(*command, options->store, settings);
  command
      ->add_option(
          "--method", options->method,
          "Method to measure for: dual, our own (the default where the rig can time blocks "
          "alone), or ampere, the published one")
      ->check(CLI::IsMember({"dual", "ampere"}));
  add_dual_options(*command, options->blocks, OtherNetworks::no);
  command
      ->add_option("--points", options->points,
                   "ampere: largest number of points per kind with two features; a third as many "
                   "for one feature")
      ->check(whole_from_to(1, 1000))
      ->capture_default_str();
  command
      ->add_option("--tolerance", options->tolerance,
                   "ampere: a kind is finished when its largest standard deviation is below this "
                   "share of the mean")
      ->check(number_above_to(0, 1e6))
      ->capture_default_str();
  command
      ->add_option("--test-points", options->test_points,
                   "ampere: number of random points per kind that are measured afterwards to test "
                   "the fits")
      ->check(whole_from_to(0, 1000))
      ->capture_default_str();
  command
      ->add_option("--guide", options->guide,
                   "ampere: quantity whose uncertainty chooses the next point")
      ->check(CLI::IsMember({"energy", "time"}))
      ->capture_default_str();
  command->add_flag(
      "--general", options->general,
      "Profile the device for every network, batch, optimizer and number format: "
      "operations are timed alone, and a few programs measured (needs --rig torch, or an "
      "ampere-runner with LibTorch); all operations of each NAME.program given are timed, too");
  command
      ->add_option("--operations", options->operations,
                   "general: largest number of operations to time alone")
      ->check(whole_from_to(1, 100000))
      ->capture_default_str();
  command
      ->add_option("--programs", options->programs,
                   "general: number of programs whose energy is measured")
      ->check(whole_from_to(1, 1000))
      ->capture_default_str();
  add_time_limit_option(*command, options->time_limit, "measurement");
  command->add_flag("--dry-run", options->dry_run,
                    "Only say what would be measured and how long it would take; on a device that "
                    "nothing is known of, a few measurements are tried and forgotten");
  add_json_flag(*command, options->json);
  add_example(*command, "ampere profile lenet5 --rig cpu");
  command->callback([options] {
    if (options->dry_run)
      dry_run(*options);
    else
      options->general ? profile_generally(*options) : profile(*options);
  });
}

}  // namespace ampere
