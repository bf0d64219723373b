#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "ampere/error.h"
#include "base/json.h"
#include "base/or_null.h"
#include "commands.h"
#include "knowledge.h"
#include "options.h"
#include "print.h"
#include "profiling.h"
#include "record/record_json.h"
#include "tests_output.h"

namespace ampere {
namespace {

struct Options {
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
  bool dry_run = false, json = false;

  ProfileOptions profile() const {
    if (points < 1 || points > 1000)
      throw Error(ErrorCode::usage, fmt::format("--points: {} is not between 1 and 1000", points));
    if (!(tolerance > 0))
      throw Error(ErrorCode::usage, fmt::format("--tolerance: {} is not positive", tolerance));
    if (time_limit < 0)
      throw Error(ErrorCode::usage, fmt::format("--time-limit: {} is negative", time_limit));
    ProfileOptions options;
    options.points = points;
    options.tolerance = tolerance;
    options.guide = guide == "time" ? Guide::time : Guide::energy;
    options.precision = measuring.precision(options.precision);
    if (time_limit > 0) options.time_limit = Seconds(time_limit);
    return options;
  }

  TestWish tests() const {
    if (test_points < 0 || test_points > 1000)
      throw Error(ErrorCode::usage,
                  fmt::format("--test-points: {} is not between 0 and 1000", test_points));
    return {test_points, static_cast<std::uint64_t>(rig.seed)};
  }

  DualProfileOptions dual() const {
    DualProfileOptions options = dual_profile_options(measuring, blocks);
    options.time_limit = profile().time_limit;
    return options;
  }

  // The published method where it was asked for, or where the rig cannot time blocks.
  bool as_published(const Rig& device) const {
    return method == "ampere" || (method.empty() && !device.can_time());
  }

  void refuse_tests() const {
    if (test_points != 0)
      throw Error(ErrorCode::usage,
                  "--test-points: the dual method is tested on whole networks and has no fits per "
                  "kind; add --method ampere");
  }
};

// The usual duration of three windows and their warm-up: what a point is assumed to take until
// something was measured on the device.
constexpr double kSecondsPerPoint = 1.5;
constexpr double kSecondsPerTiming = 0.02;

double seconds_per_point(const Store& store, std::int64_t profile,
                         std::span<const PlannedKind> plan) {
  double seconds = 0;
  int points = 0;
  for (const PlannedKind& planned : plan)
    for (const Observation& known :
         store.find({.profile = profile, .purpose = Purpose::variant, .kind = planned.kind->key}))
      if (known.measurement) {
        seconds += known.measurement->elapsed.count();
        ++points;
      }
  return points == 0 ? kSecondsPerPoint : seconds / points;
}

void preview_kinds(const Options& options, std::span<const Model> models,
                   const DeviceInfo& device) {
  const auto store = open_for_preview(options.store);
  const auto plan = plan_profile(models);
  const auto profile = known_profile(*store, device, options.setup.setup());
  const auto work = preview_profile(plan, *store, profile, options.profile());
  const std::vector<int> tests = preview_tests(plan, *store, profile, options.tests());
  const int test_points = std::accumulate(tests.begin(), tests.end(), 0);
  int points = 0;
  Json kinds = Json::array();
  std::vector<std::vector<std::string>> rows{{"at most", "known", "role", "kind", "up to"}};
  for (std::size_t i = 0; i < work.size(); ++i) {
    const PlannedWork& kind = work[i];
    points += kind.at_most;
    rows.push_back({std::to_string(kind.at_most), std::to_string(kind.known), to_string(kind.role),
                    kind.title, feature_text(feature_names(kind.features), kind.upper)});
    kinds.push_back({{"kind", kind.title},
                     {"role", to_string(kind.role)},
                     {"known", kind.known},
                     {"at_most", kind.at_most},
                     {"at_most_tests", tests[i]}});
  }
  const double seconds = (points + test_points) *
                         (profile ? seconds_per_point(*store, *profile, plan) : kSecondsPerPoint);
  if (options.json) {
    fmt::print("{}\n", Json{{"device", device.name},
                            {"at_most_points", points},
                            {"at_most_test_points", test_points},
                            {"about_s", seconds},
                            {"kinds", std::move(kinds)}}
                           .dump());
    return;
  }
  print_table(rows);
  fmt::print("{} kinds, at most {} points{}, about {} on {}\n", work.size(), points,
             options.test_points > 0 ? fmt::format(" and {} test points", test_points) : "",
             duration(seconds), device.name);
}

void preview_dual(const Options& options, std::span<const Model> models, const Rig& rig) {
  options.refuse_tests();
  require_timing(rig);
  const DeviceInfo& device = rig.device();
  const auto store = open_for_preview(options.store);
  const auto profile = known_profile(*store, device, options.setup.setup());
  DualPlan plan = plan_dual(dual_task(options.models, models), options.dual());
  if (profile) plan = missing_of(plan, *store, *profile);
  const std::size_t blocks = plan.blocks.size() + plan.round_blocks.size();
  const std::size_t networks = plan.networks.size() + plan.round_networks.size();
  const double seconds = kSecondsPerTiming * static_cast<double>(blocks) +
                         kSecondsPerPoint * static_cast<double>(networks);
  if (options.json)
    fmt::print("{}\n", Json{{"device", device.name},
                            {"at_most_timings", blocks},
                            {"at_most_networks", networks},
                            {"about_s", seconds}}
                           .dump());
  else
    fmt::print("at most {} blocks to time alone and {} networks to measure, about {} on {}\n",
               blocks, networks, duration(seconds), device.name);
}

void dry_run(const Options& options, std::span<const Model> models) {
  const auto rig = options.rig.open();
  if (options.as_published(*rig))
    preview_kinds(options, models, rig->device());
  else
    preview_dual(options, models, *rig);
}

// Uses the time that the profile left.
ProfileSummary measure_test_points(const Options& options, std::span<const PlannedKind> plan,
                                   Rig& rig, Store& store, Seconds used) {
  ProfileOptions rest = options.profile();
  if (rest.time_limit) rest.time_limit = std::max(Seconds(0), *rest.time_limit - used);
  return tests_with_progress(plan, rig, options.rig.rig, store, options.setup.setup(), rest,
                             options.tests());
}

void profile_as_published(const Options& options, std::span<const Model> models, Rig& rig,
                          Store& store) {
  const ProfileSummary summary = profile_with_progress(models, rig, options.rig.rig, store,
                                                       options.setup.setup(), options.profile());
  std::optional<ProfileSummary> tests;
  std::vector<TestedKind> tested;
  if (options.test_points > 0) {
    const std::vector<PlannedKind> plan = plan_profile(models);
    tests = measure_test_points(options, plan, rig, store, summary.elapsed);
    tested = tested_kinds(plan, store, summary.profile);
  }
  const double overhead = summary.elapsed.count() > 0 ? 1 - summary.measuring / summary.elapsed : 0;
  if (options.json)
    fmt::print("{}\n", Json{{"profile", std::to_string(summary.profile)},
                            {"method", "ampere"},
                            {"device", device_brief_json(rig.device())},
                            {"source", to_string(rig.device().source)},
                            {"measured", summary.measured},
                            {"failed", summary.failed},
                            {"seconds", summary.elapsed.count()},
                            {"overhead", overhead},
                            {"stopped_by_time_limit", summary.stopped_by_time_limit},
                            {"tests", tests ? tests_json(*tests, tested) : Json(nullptr)},
                            {"warnings", summary.warnings}}
                           .dump());
  else
    fmt::print(
        "profile {} on {} ({}): {} points measured, {} failed, in {:.1f} s ({} of it outside "
        "measuring){}\n",
        summary.profile, rig.device().name, to_string(rig.device().source), summary.measured,
        summary.failed, summary.elapsed.count(), percent(overhead),
        limit_text(summary.stopped_by_time_limit));
  if (tests && !options.json) print_tests(*tests, tested);
}

Json check_json(const std::optional<DualCheck>& check) {
  if (!check) return nullptr;
  return {{"networks", check->networks},
          {"energy_mape", check->energy_mape},
          {"time_mape", check->time_mape}};
}

void profile_dual(const Options& options, std::span<const Model> models, Rig& rig, Store& store) {
  options.refuse_tests();
  const DualSummary summary =
      dual_profile_with_progress(dual_task(options.models, models), rig, options.rig.rig, store,
                                 options.setup.setup(), options.dual());
  if (options.json) {
    fmt::print("{}\n", Json{{"profile", std::to_string(summary.profile)},
                            {"method", "dual"},
                            {"device", device_brief_json(rig.device())},
                            {"source", to_string(rig.device().source)},
                            {"timed", summary.timed},
                            {"measured", summary.measured},
                            {"failed", summary.failed},
                            {"seconds", summary.elapsed.count()},
                            {"cross_validated", check_json(summary.check)},
                            {"drift",
                             {{"repeats", summary.drift.repeats},
                              {"energy", or_null(summary.drift.energy)},
                              {"time", or_null(summary.drift.time)},
                              {"significant", summary.drift.significant}}},
                            {"stopped_by_time_limit", summary.stopped_by_time_limit},
                            {"warnings", summary.warnings}}
                           .dump());
    return;
  }
  fmt::print(
      "profile {} on {} ({}): {} blocks timed, {} networks measured, {} failed, in {:.1f} s{}\n",
      summary.profile, rig.device().name, to_string(rig.device().source), summary.timed,
      summary.measured, summary.failed, summary.elapsed.count(),
      limit_text(summary.stopped_by_time_limit));
  if (summary.check)
    fmt::print("cross-validated on its {} networks: energy within {} on average, time within {}\n",
               summary.check->networks, percent(summary.check->energy_mape),
               percent(summary.check->time_mape));
}

void profile(const Options& options) {
  if (options.models.empty())
    throw Error(ErrorCode::usage, "profile needs a MODEL; `ampere models` lists them");
  std::vector<Model> models;
  for (const std::string& spec : options.models) models.push_back(options.source.open(spec));
  if (options.dry_run) return dry_run(options, models);

  // Refuse before anything is opened.
  options.dual();
  options.tests();
  if (options.method == "dual") options.refuse_tests();
  const auto store = open_store(options.store);
  const auto rig = options.rig.open();
  if (options.as_published(*rig))
    profile_as_published(options, models, *rig, *store);
  else
    profile_dual(options, models, *rig, *store);
}

}  // namespace

void add_profile(CLI::App& app, const Settings& settings) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("profile",
                                         "Measures what is missing to estimate these networks and "
                                         "all their narrower versions; continues where it stopped");
  add_models_argument(*command, options->models);
  add_onnx_options(*command, options->source);
  add_setup_options(*command, options->setup, settings);
  add_rig_options(*command, options->rig, settings);
  add_measuring_options(*command, options->measuring, ProfileOptions{}.precision,
                        DualProfileOptions{}.precision.time_limit);
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
      ->capture_default_str();
  command
      ->add_option("--tolerance", options->tolerance,
                   "ampere: a kind is finished when its largest standard deviation is below this "
                   "share of the mean")
      ->capture_default_str();
  command
      ->add_option("--test-points", options->test_points,
                   "ampere: number of random points per kind that are measured afterwards to test "
                   "the fits")
      ->capture_default_str();
  command
      ->add_option("--guide", options->guide,
                   "ampere: quantity whose uncertainty chooses the next point")
      ->check(CLI::IsMember({"energy", "time"}))
      ->capture_default_str();
  add_time_limit_option(*command, options->time_limit, "measurement");
  command->add_flag("--dry-run", options->dry_run,
                    "Measure nothing; say what would be measured and about how long it would take");
  add_json_flag(*command, options->json);
  add_example(*command, "ampere profile lenet5 --rig cpu");
  command->callback([options] { profile(*options); });
}

}  // namespace ampere
