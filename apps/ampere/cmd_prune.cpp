#include <fmt/format.h>

#include <cmath>

#include "ampere/error.h"
#include "ampere/onnx.h"
#include "base/amounts.h"
#include "base/json_text.h"
#include "base/text.h"
#include "commands.h"
#include "estimate_options.h"
#include "front_door.h"
#include "options.h"
#include "output_folder.h"
#include "print.h"
#include "profile_command.h"
#include "profile_options.h"
#include "prune_output.h"
#include "ranges.h"
#include "report/report.h"
#include "terminal.h"

namespace ampere {
namespace {

struct PruneArguments {
  std::string model, budget, battery, method, profile, store, folder, weights;
  std::string search = to_string(SearchOptions{}.kind), ranking = to_string(Ranking::l1);
  std::string min_width = "1", stop_at;
  ModelSource source;
  SetupOptions setup;
  RigSelection rig;
  bool rig_given = false;
  MeasuringOptions measuring;
  SpaceOptions space;
  SearchOptions searching;
  TrainingPlan training;
  double confidence = EnergyBudget{}.confidence;
  std::int64_t iterations = 0;
  int finalists = 1, pareto = 0;
  bool automatic = false, estimate_only = false, no_verify = false, no_learning = false,
       json = false;
};

// "8" channels, or "10%" of the original's.
void read_min_width(const std::string& text, SpaceOptions& space) try {
  if (text.ends_with('%'))
    space.min_share =
        static_cast<double>(parse_number(text.substr(0, text.size() - 1), "--min-width")) / 100;
  else
    space.min_width = parse_integer(text, "--min-width");
} catch (const Error&) {
  throw Error(
      ErrorCode::usage,
      fmt::format("--min-width: '{}' is neither channels nor a share, like 8 or 10%", text));
}

Joules read_stop(const std::string& text) {
  const Budget budget = parse_budget(text);
  if (budget.kind != Budget::Kind::joules_per_iteration)
    throw Error(ErrorCode::usage, fmt::format("--stop-at: '{}' is not an energy, like 500J", text));
  return {budget.amount};
}

// The trained original from an ONNX file, which must be the same network.
Weights read_weights(const PruneArguments& options, const Model& model) {
  OnnxOptions onnx = options.source.onnx();
  onnx.weights = true;
  OnnxImport imported = import_onnx(options.weights, onnx);
  if (!imported.model || model_hash(*imported.model) != model_hash(model))
    throw Error(ErrorCode::usage, fmt::format("--weights: {} does not hold the network {}",
                                              options.weights, model.name()));
  if (!imported.weights)
    throw Error(ErrorCode::usage, fmt::format("--weights: {} holds no weights", options.weights));
  Weights weights;
  for (std::size_t i = 0; i < model.layers().size(); ++i)
    for (const WeightShape& shape : weight_shapes(model.layers()[i], model))
      weights[model.layers()[i].name + "." + shape.name] =
          imported.weights->at(imported.model->layers()[i].name + "." + shape.name);
  return weights;
}

PruneTask task_of(const PruneArguments& options) {
  PruneTask task;
  task.original = options.source.open(options.model);
  task.setup = options.setup.setup();
  task.space = options.space;
  read_min_width(options.min_width, task.space);
  task.budget = parse_budget(options.budget);
  task.confidence = options.confidence;
  if (options.iterations < 0) throw Error(ErrorCode::usage, "--iterations must be positive");
  if (options.iterations > 0) task.iterations = options.iterations;
  if (!options.battery.empty()) task.battery_j = parse_battery(options.battery, "--battery").value;
  task.search = options.searching;
  task.search.kind = parse_search(options.search);
  task.search.seed = static_cast<unsigned>(options.rig.seed);
  task.finalists = options.finalists;
  task.verify = !options.no_verify;
  task.learn = !options.no_learning;
  task.precision = options.measuring.precision();
  task.folder = options.folder;
  if (!options.training.data.empty()) {
    task.training = options.training;
    task.training->seed = static_cast<unsigned>(options.rig.seed);
    task.training->ranking = parse_ranking(options.ranking);
    if (!options.stop_at.empty()) task.training->stop_at = read_stop(options.stop_at);
    if (!options.weights.empty()) task.training->weights = read_weights(options, task.original);
  }
  return task;
}

void check(const PruneArguments& options) {
  const auto refuse = [](const std::string& why) { throw Error(ErrorCode::usage, why); };
  if (!options.method.empty() && options.method != "dual" && options.method != "ampere" &&
      options.method != "flops")
    refuse(fmt::format("--method: '{}' cannot guide a search; dual, ampere and flops can",
                       options.method));
  if (options.finalists < 1) refuse("--finalists must be 1 or more");
  if (options.pareto < 0) refuse("--pareto must not be negative");
  if (options.training.data.empty() && !(options.weights + options.stop_at).empty())
    refuse("--weights and --stop-at need --data to train on");
  if (!options.training.data.empty() && options.folder.empty())
    refuse("--data needs --output-folder, where trained networks are kept after every epoch");
  if (!options.training.data.empty() && options.estimate_only)
    refuse("--data needs the device; leave --estimate-only out");
  if (options.automatic && options.estimate_only)
    refuse("--auto needs the device; leave --estimate-only out");
  if (options.training.epochs < 1 || options.training.fine_tuning < 1)
    refuse("--epochs and --fine-tune must be 1 or more");
  if (!(options.training.learning_rate > 0) || !std::isfinite(options.training.learning_rate))
    refuse("--learning-rate must be positive");
}

// Budgets in equal steps from the asked one to all of the original.
std::vector<Budget> pareto_budgets(const Budget& asked, int count) {
  if (asked.kind != Budget::Kind::share_of_original)
    throw Error(ErrorCode::usage, "--pareto needs a budget that is a share, like 30%");
  std::vector<Budget> budgets;
  for (int i = 0; i < count; ++i)
    budgets.push_back({asked.kind, asked.amount + (1 - asked.amount) * i / count});
  return budgets;
}

// For `ampere report prune`. A store that cannot be written must not lose hours of work.
void keep(PruneReport& report, Store& store) try {
  const PruneTask& task = report.task;
  const std::string what =
      fmt::format("{} to {}, by {}, {}, seed {}{}", report.model, to_string(task.budget),
                  task.method, to_string(task.search.kind), task.search.seed,
                  task.training ? ", trained on " + task.training->data : "");
  store.put_document(report.profile.id, {pruning_name(what), json_text(prune_json(report))});
} catch (const std::exception& error) {
  report.result.warnings.push_back(
      fmt::format("the result is not kept for `ampere report`: {}", error.what()));
}

// A search by FLOPs needs the energy of the original, which the best method of the rig tells.
void profile_missing(const PruneArguments& options, const PruneTask& task, Session& session,
                     const NamedRig& rig, TerminalListener& listener) {
  // Missing data should be reported before the profile, which takes a minute, not after it.
  if (task.training) rig.rig.describe_data(task.training->data);
  const ProfileSummary summary = session.profile({{task.original},
                                                  task.setup,
                                                  options.method == "flops" ? "" : options.method,
                                                  profile_options(options.measuring)},
                                                 rig);
  listener.finish();
  print_warnings(summary.warnings);
}

void prune_all(const PruneArguments& options) {
  check(options);
  PruneTask task = task_of(options);
  const std::vector<Budget> budgets = options.pareto > 0
                                          ? pareto_budgets(task.budget, options.pareto)
                                          : std::vector<Budget>{task.budget};
  if (!options.folder.empty()) require_folder(options.folder);
  TerminalListener listener;
  Session session =
      open_session(options.store, options.estimate_only ? Access::read : Access::write, &listener);
  std::unique_ptr<Rig> rig;
  if (!options.estimate_only) rig = options.rig.open();
  std::optional<NamedRig> named;
  if (rig) named.emplace(NamedRig{*rig, options.rig.rig});
  if (options.automatic) profile_missing(options, task, session, *named, listener);
  ProfileQuery query{.setup = task.setup, .profile = options.profile};
  if (rig && query.profile.empty()) query.profile = rig->device().fingerprint;
  if (!rig && options.rig_given) query.rig = options.rig.rig;
  query.rig_options = options.rig.options();
  const ChosenProfile chosen = session.choose(query);
  if (rig && rig->device().fingerprint != chosen.row.device.fingerprint)
    throw Error(ErrorCode::usage,
                fmt::format("profile {} is of {}, and the rig is {}; choose with --profile, or "
                            "leave the device alone with --estimate-only",
                            chosen.row.id, chosen.row.device.name, rig->device().name));
  task.method = options.method;
  if (task.method.empty()) {
    const std::vector<std::string> methods = session.methods_of(chosen.row);
    task.method = methods.empty() ? "dual" : methods.front();
  }

  std::vector<PruneReport> reports;
  for (const Budget& budget : budgets) {
    task.budget = budget;
    reports.push_back({options.model, task, chosen.row,
                       session.prune(task, chosen.row, named ? &*named : nullptr)});
    std::vector<std::string>& warnings = reports.back().result.warnings;
    warnings.insert(warnings.end(), chosen.warnings.begin(), chosen.warnings.end());
    if (!options.estimate_only) keep(reports.back(), session.store());
  }
  listener.finish();
  std::vector<std::string> files;
  if (!options.folder.empty()) files = write_pruned(reports.front().result, options.folder);
  if (options.json) {
    for (const PruneReport& report : reports) fmt::print("{}\n", json_text(prune_json(report)));
    return;
  }
  print_prune(reports.front());
  if (options.pareto > 0) {
    fmt::print("\n");
    print_pareto(reports);
  }
  for (const std::string& file : files) fmt::print("wrote {}\n", file);
}

void add_search_options(CLI::App& command, PruneArguments& options) {
  command
      .add_option("--budget", options.budget,
                  "Energy to stay under: 50% of the original, 0.4J or 300mJ per iteration, \"2kJ "
                  "total\" for --iterations, or 3%battery of --battery")
      ->required();
  command.add_option("--confidence", options.confidence, "Probability that the budget holds")
      ->check(share())
      ->capture_default_str();
  command
      .add_option("--iterations", options.iterations,
                  "Number of iterations that a total or battery budget is for")
      ->check(whole_from_to(1, kMostIterations));
  command.add_option("--battery", options.battery,
                     "Battery that a budget is a share of, as in 4500mAh@3.85V or 50Wh");
  command.add_option("--search", options.search, "How to search: random, greedy or evolutionary")
      ->capture_default_str();
  CLI::Option* networks = command
                              .add_option("--networks", options.searching.draws,
                                          "Number of networks that the search tries")
                              ->check(whole_from_to(1, 1'000'000'000))
                              ->capture_default_str();
  add_hidden_alias(command, networks, "--draws");
  CLI::Option* method = command.add_option(
      "--method", options.method,
      "Method to estimate by: dual, ampere, or flops for comparison (default: the best one that "
      "the profile supports)");
  add_hidden_alias(command, method, "--estimator");
  command
      .add_option("--min-width", options.min_width,
                  "Smallest width, as channels or as a share like 10%")
      ->capture_default_str();
  command.add_option("--align", options.space.align, "All widths are multiples of this")
      ->check(whole_from_to(1, 1'000'000))
      ->capture_default_str();
  command
      .add_option("--leave", options.space.leave_alone,
                  "Layers whose channels are not pruned, separated by commas")
      ->delimiter(',');
  command
      .add_option("--finalists", options.finalists,
                  "Number of networks to measure and train; the best one is the result")
      ->check(whole_from_to(1, 1000))
      ->capture_default_str();
  command
      .add_option("--pareto", options.pareto,
                  "Number of budgets, from --budget up to the original, to prune to and compare")
      ->check(whole_from_to(0, 1000));
}

void add_training_options(CLI::App& command, PruneArguments& options) {
  command.add_option("--data", options.training.data,
                     "Data to train on: fashion-mnist, or a folder of IDX, CIFAR or .npy files");
  command
      .add_option("--epochs", options.training.epochs, "Epochs that the original is trained for")
      ->check(whole_from_to(1, kMostEpochs))
      ->capture_default_str();
  command
      .add_option("--fine-tune", options.training.fine_tuning,
                  "Epochs that the pruned network is trained for")
      ->check(whole_from_to(1, kMostEpochs))
      ->capture_default_str();
  command
      .add_option("--learning-rate", options.training.learning_rate,
                  "Learning rate at the start of each training")
      ->check(number_above_to(0, 1e6))
      ->capture_default_str();
  command.add_option(
      "--weights", options.weights,
      "ONNX file with the weights of the trained original, to use instead of training it");
  command
      .add_option("--ranking", options.ranking,
                  "How to choose the channels that stay: l1 or random")
      ->capture_default_str();
  command.add_option(
      "--stop-at", options.stop_at,
      "Energy at which training stops, over all networks together, like 500J or 2Wh");
  add_output_folder_option(command, options.folder,
                           "pruned.json, pruned.onnx and the trained networks");
}

void prune(const PruneArguments& options) try { prune_all(options); } catch (const Error& error) {
  throw with_profile_command(
      error, {options.model, options.setup.setup(), options.rig_given ? options.rig.rig : ""});
}

}  // namespace

void add_prune(CLI::App& app, const Settings& settings) {
  auto options = std::make_shared<PruneArguments>();
  CLI::App* command = app.add_subcommand(
      "prune",
      "Finds a narrower network inside an energy budget, measures it and, on request, trains it");
  add_model_argument(*command, options->model);
  add_onnx_options(*command, options->source);
  add_search_options(*command, *options);
  add_training_options(*command, *options);
  add_profile_option(*command, options->profile);
  command->add_flag("--auto", options->automatic, "Before pruning, profile what is missing");
  command->add_flag("--estimate-only", options->estimate_only,
                    "Measure nothing, and do not open the rig");
  command->add_flag("--no-verify", options->no_verify,
                    "Take the first network found, even if it is measured outside the budget");
  command->add_flag("--no-learning", options->no_learning,
                    "Do not use the measurements for later estimates");
  add_setup_options(*command, options->setup, settings);
  add_rig_options(*command, options->rig, settings);
  add_measuring_options(*command, options->measuring, {}, kDualPointSeconds);
  add_steady_option(*command, options->measuring, options->rig);
  add_store_option(*command, options->store, settings);
  add_json_flag(*command, options->json);
  add_example(*command,
              "ampere prune cnn5 --budget 50% --auto --data fashion-mnist --output-folder pruned");
  CLI::Option* rig = command->get_option("--rig");
  command->callback([options, rig] {
    options->rig_given = rig->count() > 0;
    prune(*options);
  });
}

}  // namespace ampere
