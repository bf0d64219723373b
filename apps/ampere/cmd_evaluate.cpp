#include <fmt/format.h>

#include <filesystem>

#include "ampere/error.h"
#include "base/json_text.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "commands.h"
#include "estimate_options.h"
#include "evaluate_output.h"
#include "front_door.h"
#include "options.h"
#include "output_folder.h"
#include "profile_options.h"
#include "ranges.h"
#include "report/evaluate_json.h"
#include "suite_file.h"
#include "suite_output.h"
#include "terminal.h"

namespace ampere {
namespace {

struct EvaluateArguments {
  std::vector<std::string> families, methods;
  std::string models, suite, peers, folder, mode = "training";
  bool batch_given = false;
  SetupOptions setup;
  RigSelection rig;
  MeasuringOptions measuring;
  std::string store;
  int networks = 40, points = ProfileOptions{}.points;
  DualOptions dual;
  double baseline_limit = 0;
  bool afresh = false, resample = false, dry_run = false, json = false;

  // Inference is evaluated one sample at a time, and has no optimizer.
  Setup evaluated_setup() const {
    if (mode == "training") return setup.setup();
    if (batch_given && setup.batch != 1)
      throw Error(ErrorCode::usage, "--batch: inference is evaluated one sample at a time");
    Setup inference = setup.inference();
    inference.batch = 1;
    return inference;
  }

  EvaluationOptions evaluation() const {
    EvaluationOptions result;
    result.methods = methods;
    for (const std::string& method : methods) require_method(method, evaluated_setup().phase);
    result.seed = static_cast<unsigned>(rig.seed);
    result.precision = measuring.precision();
    result.profile = profile_options(measuring, dual);
    result.profile.points = points;
    if (baseline_limit < 0)
      throw Error(ErrorCode::usage,
                  fmt::format("--baseline-limit: {} is negative", baseline_limit));
    if (baseline_limit > 0) result.baseline_limit = Seconds(baseline_limit);
    result.afresh = afresh;
    result.resample = resample;
    return result;
  }
};

std::vector<Model> read_models(const std::string& path) {
  std::vector<Model> models;
  int number = 0;
  for (const std::string& line : split(read_text_file(path), '\n')) {
    ++number;
    const std::string spec(trim(line));
    if (spec.empty() || spec.starts_with('#')) continue;
    try {
      models.push_back(open_model(spec));
    } catch (const Error& error) {
      throw error.saying(fmt::format("{}: line {}: {}", path, number, error.what()));
    }
  }
  if (models.empty())
    throw Error(ErrorCode::usage, fmt::format("{}: names no MODEL; write one per line", path));
  return models;
}

std::vector<EvaluationTask> tasks_of(const EvaluateArguments& options) {
  if (options.networks < 1)
    throw Error(ErrorCode::usage, fmt::format("--networks: {} is not positive", options.networks));
  if (options.families.empty() && options.models.empty())
    throw Error(ErrorCode::usage,
                "evaluate needs a FAMILY or --models FILE; `ampere models` lists the families");
  const auto seed = static_cast<unsigned>(options.rig.seed);
  std::vector<EvaluationTask> tasks;
  const bool inference = options.evaluated_setup().phase == Phase::inference;
  for (const std::string& family : options.families)
    tasks.push_back(inference ? variants_task(family, options.networks, seed)
                              : family_task(family, options.networks, seed));
  if (!options.models.empty())
    tasks.push_back(models_task(std::filesystem::path(options.models).stem(),
                                read_models(options.models), seed));
  return tasks;
}

// FOLDER/cnn5_batch10.json and .csv: the whole evaluation.
void write_results(const Evaluation& evaluation, const std::string& folder) {
  const std::filesystem::path base =
      std::filesystem::path(folder) /
      (evaluation.setup.phase == Phase::inference
           ? fmt::format("{}_inference", evaluation.family)
           : fmt::format("{}_batch{}", evaluation.family, evaluation.setup.batch));
  write_whole_file(base.string() + ".json", json_text(evaluation_json(evaluation), 1) + "\n");
  write_whole_file(base.string() + ".csv", to_csv(evaluation));
}

// One summary over all families, as DeepEn2023 reports it.
void give_summary(std::span<const Evaluation> all, const EvaluateArguments& options) {
  const Json summary = summary_json(pool(all));
  if (!options.folder.empty())
    write_whole_file((std::filesystem::path(options.folder) / "summary_inference.json").string(),
                     json_text(summary, 1) + "\n");
  if (options.json) fmt::print("{}\n", json_text(summary));
}

void evaluate_all(const EvaluateArguments& options) {
  const Setup setup = options.evaluated_setup();
  const EvaluationOptions evaluation = options.evaluation();
  const std::vector<EvaluationTask> tasks = tasks_of(options);
  if (!options.folder.empty()) require_folder(options.folder);
  TerminalListener listener;
  Session session = open_session(options.store, Access::write, &listener);
  const auto rig = options.rig.open();
  std::vector<Evaluation> all;
  for (const EvaluationTask& task : tasks) {
    listener.set_subject(task.family);
    all.push_back(session.evaluate(task, evaluation, setup, {*rig, options.rig.rig}));
    listener.finish();
    if (!options.folder.empty()) write_results(all.back(), options.folder);
    if (options.json) fmt::print("{}\n", json_text(evaluation_json(all.back())));
  }
  if (setup.phase == Phase::inference && all.size() > 1) give_summary(all, options);
  if (!options.json) print_evaluations(all);
}

std::string names_of(Phase phase) {
  std::string names;
  for (const MethodInfo& method : method_infos(phase))
    names += (names.empty() ? "" : ", ") + method.name;
  return names;
}

void require_suite_method(const std::string& suite, const std::string& method) {
  try {
    require_method(method, Phase::iteration);
  } catch (const Error& error) {
    throw error.saying(fmt::format("{}: methods: {}", suite, error.what()));
  }
}

// The families of a suite, each at its own setup; all methods that the file does not choose among.
std::vector<Evaluation> evaluate_families(const EvaluateArguments& options, const SuiteFile& file,
                                          Session& session, const NamedRig& rig,
                                          TerminalListener& listener) {
  std::vector<Evaluation> all;
  for (const SuiteFamily& each : file.families) {
    EvaluationOptions own = options.evaluation();
    if (!each.methods.empty()) own.methods = each.methods;
    own.profile.time_limit = each.seconds;
    if (each.seconds) own.baseline_limit = each.seconds;
    listener.set_subject(each.family);
    const EvaluationTask task =
        family_task(each.family, each.networks, static_cast<unsigned>(options.rig.seed));
    all.push_back(session.evaluate(task, own, each.setup, rig));
    listener.finish();
    if (!options.folder.empty()) write_results(all.back(), options.folder);
    if (options.json) fmt::print("{}\n", json_text(evaluation_json(all.back())));
  }
  return all;
}

void evaluate_suite(const EvaluateArguments& options) {
  if (!options.families.empty() || !options.models.empty())
    throw Error(ErrorCode::usage, "--suite lists what to evaluate: leave FAMILY and --models out");
  const SuiteFile file = load_suite(options.suite);
  for (const SuiteFamily& each : file.families)
    for (const std::string& method : each.methods) require_suite_method(options.suite, method);
  std::vector<SuitePeer> peers;
  if (!options.peers.empty()) peers = load_peers(options.peers, file.steps);
  if (options.dry_run) return print_suite_plan(file, options.json);
  if (!options.folder.empty()) {
    require_folder(options.folder);
    check_suite_page(options.folder, file);
  }
  SuiteOptions of_suite;
  of_suite.precision = precision_of(profile_options(options.measuring), of_suite.precision);
  of_suite.sheet = file.sheet;
  TerminalListener listener;
  Session session = open_session(options.store, Access::write, &listener);
  const auto rig = options.rig.open();
  const std::vector<Evaluation> families =
      evaluate_families(options, file, session, {*rig, options.rig.rig}, listener);
  std::vector<SuiteResult> results;
  if (!file.steps.entries.empty())
    results = session.evaluate(file.steps, of_suite, {*rig, options.rig.rig});
  listener.finish();
  if (!options.json && !families.empty()) print_evaluations(families);
  if (!results.empty()) (options.json ? print_suite_json : print_suite)(results, peers);
  if (!options.folder.empty())
    write_suite(options.folder, file, rig->device(), results, families, peers);
}

}  // namespace

void add_evaluate(CLI::App& app, const Settings& settings) {
  auto options = std::make_shared<EvaluateArguments>();
  CLI::App* command = app.add_subcommand(
      "evaluate",
      "Estimates random networks of each family by every method, then measures each network twice");
  command->add_option("FAMILY", options->families,
                      "Zoo names, with options if wanted (cnn5, resnet50:size=224)");
  command->add_option("--models", options->models,
                      "File with one MODEL per line, to evaluate instead of random networks");
  command->add_option("--suite", options->suite,
                      "File with families, models and training steps of your own, to evaluate "
                      "instead: each model and step is estimated, then measured once");
  command->add_option("--peers", options->peers,
                      "Of a suite: file with what other tools say of its steps, one JSON object "
                      "per line, for the same tables");
  command->add_flag("--dry-run", options->dry_run,
                    "Of a suite: list what it holds; estimate and measure nothing");
  command->add_option("--networks", options->networks, "Number of random networks per family")
      ->check(whole_from_to(1, kMostCount))
      ->capture_default_str();
  add_mode_option(*command, options->mode,
                  "What to evaluate: training of narrower networks, or inference of variants with "
                  "other widths and kernel sizes");
  CLI::Option* methods =
      command
          ->add_option("--method", options->methods,
                       fmt::format("Methods to evaluate, repeated or separated by commas: {}; for "
                                   "inference {} (default: all)",
                                   names_of(Phase::iteration), names_of(Phase::inference)))
          ->delimiter(',')
          ->expected(1)
          ->take_all();
  add_hidden_alias(*command, methods, "--methods")->expected(CLI::detail::expected_max_vector_size);
  command
      ->add_option("--points", options->points,
                   "ampere: largest number of points per kind with two features; a third as many "
                   "for one feature")
      ->check(whole_from_to(1, 1000))
      ->capture_default_str();
  add_dual_options(*command, options->dual, OtherNetworks::yes);
  command
      ->add_option(
          "--baseline-limit", options->baseline_limit,
          "Longest time to measure for the baselines, in seconds (default: as long as for ampere)")
      ->check(number_from_to(0, kMostSeconds));
  add_output_folder_option(*command, options->folder,
                           "FAMILY_batchN.json and .csv, or FAMILY_inference.json and .csv; of "
                           "a suite also its .json, .csv and .html");
  command->add_flag(
      "--resample", options->resample,
      "With a recording: evaluate other points or networks, as far as they were recorded");
  command->add_flag("--afresh", options->afresh, "Measure again what was measured before");
  add_setup_options(*command, options->setup, settings);
  add_rig_options(*command, options->rig, settings);
  add_measuring_options(*command, options->measuring, {}, kDualPointSeconds);
  add_steady_option(*command, options->measuring, options->rig);
  add_store_option(*command, options->store, settings);
  add_json_flag(*command, options->json);
  add_example(*command, "ampere evaluate cnn5 --rig sim:xavier --networks 100 --store memory:");
  command->callback([options, command] {
    options->batch_given = command->count("--batch") > 0;
    if (options->suite.empty() && (options->dry_run || !options->peers.empty()))
      throw Error(ErrorCode::usage, "--peers and --dry-run are for suites: give --suite FILE");
    options->suite.empty() ? evaluate_all(*options) : evaluate_suite(*options);
  });
}

}  // namespace ampere
