#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "ampere/error.h"
#include "ampere/whole_network.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "commands.h"
#include "estimate_output.h"
#include "knowledge.h"
#include "model/model_json.h"
#include "options.h"
#include "profiling.h"

namespace ampere {
namespace {

struct Options {
  std::vector<std::string> models;
  ModelSource source;
  SetupOptions setup;
  RigSelection rig;
  bool rig_given = false;
  PrecisionOptions precision;
  std::string store, profile, battery, method;
  std::int64_t iterations = 0, epochs = 0, samples = 0;
  double confidence = 0.9, carbon = 0, price = 0;
  bool automatic = false, check = false, refine = false, no_learning = false, json = false;

  Workload workload() const {
    if (!(confidence > 0 && confidence < 1))
      throw Error(ErrorCode::usage,
                  fmt::format("--confidence: {} is not between 0 and 1", confidence));
    if (iterations < 0 || epochs < 0 || samples < 0)
      throw Error(ErrorCode::usage, "--iterations, --epochs and --samples must be positive");
    if ((epochs > 0) != (samples > 0))
      throw Error(ErrorCode::usage, "--epochs and --samples go together");
    if (epochs > 0 && iterations > 0)
      throw Error(ErrorCode::usage, "give --iterations, or --epochs with --samples, not both");
    if (epochs > 0) return {epochs * ((samples + setup.batch - 1) / setup.batch), confidence};
    return {iterations > 0 ? iterations : 1, confidence};
  }

  Conversions conversions() const {
    Conversions wished;
    if (carbon < 0 || price < 0)
      throw Error(ErrorCode::usage, "--carbon and --price must not be negative");
    if (!battery.empty()) wished.battery_j = parse_battery(battery);
    if (carbon > 0) wished.carbon_g_per_kwh = carbon;
    if (price > 0) wished.price_per_kwh = price;
    return wished;
  }
};

// Everything the answers of one call share.
struct Session {
  const Options& options;
  Setup setup;
  Workload workload;
  Conversions conversions;
  std::unique_ptr<Store> store;
  std::unique_ptr<Rig> rig;  // only when something is measured
  bool all_covered = true;
};

ProfileWish wish_of(const Session& session) {
  const Options& options = session.options;
  return {session.setup, options.profile, options.rig_given ? options.rig.rig : ""};
}

void answer(Session& session, const Model& model, const std::string& name,
            const ChosenProfile& chosen, const Answerer& answerer) {
  Answer found = answerer(model, session.workload);
  EstimateReport report{name,
                        std::move(found.method),
                        session.setup,
                        session.workload,
                        &chosen.row,
                        std::move(found.estimate),
                        {}};
  report.estimate.warnings.insert(report.estimate.warnings.end(), chosen.warnings.begin(),
                                  chosen.warnings.end());
  // Where nothing is covered the method cannot tell.
  report.estimate.source = std::max(report.estimate.source, chosen.row.device.source);
  session.all_covered &= report.estimate.uncovered.empty();
  if (session.options.check)
    report.checked =
        measure_whole_network(model, *session.rig, session.options.rig.rig, *session.store,
                              session.setup, session.options.precision.precision(),
                              session.options.no_learning ? Learning::no : Learning::yes);
  if (session.options.json)
    fmt::print("{}\n", estimate_json(report, session.conversions).dump());
  else
    print_estimate(report, session.conversions);
}

// A line of standard input: a MODEL, or a JSON object that is a model file or names one under
// "model".
Model read_line_model(const std::string& line, const ModelSource& source, std::string& name) {
  if (!line.starts_with('{')) {
    name = line;
    return source.open(line);
  }
  const Json document = parse_json(line, "standard input");
  const JsonField json(document, "standard input: ");
  if (!json.has("model")) {
    Model model = read_model(json);
    name = model.name();
    return model;
  }
  name = json.at("model").text();
  return source.open(name);
}

// Line by line, in constant memory; a bad line is reported with its number and ends the stream.
void answer_stream(Session& session, std::istream& in) {
  const ChosenProfile chosen = choose_profile(*session.store, wish_of(session));
  const Answerer answerer(*session.store, chosen.row, session.options.method);
  std::int64_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::string text(trim(line));
    if (text.empty()) continue;
    if (interrupted())
      throw Error(ErrorCode::interrupted, fmt::format("interrupted before line {}", number));
    try {
      std::string name;
      const Model model = read_line_model(text, session.options.source, name);
      answer(session, model, name, chosen, answerer);
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("line {}: {}", number, error.what()));
    }
  }
}

// Times the network's own blocks first: the network itself never runs.
Answerer refined(Session& session, const Model& model, const ChosenProfile& chosen) {
  SharedDualModel known = load_knowledge(*session.store, chosen.row, "dual", &model).dual;
  if (!known)
    throw Error(ErrorCode::unknown,
                fmt::format("--refine: profile {} has no dual model to refine; run `ampere profile "
                            "--method dual` first",
                            chosen.row.id));
  if (session.rig->device().fingerprint != chosen.row.device.fingerprint)
    throw Error(ErrorCode::usage,
                fmt::format("--refine: profile {} is of {}, and the rig is {}", chosen.row.id,
                            chosen.row.device.name, session.rig->device().name));
  if (!make_dual_estimator(known)->estimate(model, session.workload).uncovered.empty())
    return Answerer(known);  // says what is not covered; timing the rest would not help
  return Answerer(
      refine_dual(model, known, *session.rig, *session.store, chosen.row.id, session.setup));
}

void answer_one(Session& session, const Model& model, const std::string& name) {
  const ChosenProfile chosen = choose_profile(*session.store, wish_of(session));
  if (session.options.refine)
    answer(session, model, name, chosen, refined(session, model, chosen));
  else
    answer(session, model, name, chosen,
           Answerer(*session.store, chosen.row, session.options.method, &model));
}

void profile_missing(Session& session, std::span<const std::optional<Model>> asked) {
  std::vector<Model> models;
  for (const std::optional<Model>& model : asked) models.push_back(model.value());
  const Options& options = session.options;
  profile_for_method(options.method, options.models, models, *session.rig, options.rig.rig,
                     *session.store, session.setup, options.precision);
}

void estimate(const Options& options) {
  const bool measuring = options.automatic || options.check || options.refine;
  try {
    if (!options.method.empty()) find_method(options.method);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("--method: {}", error.what()));
  }
  if (options.refine && !options.method.empty() && options.method != "dual")
    throw Error(ErrorCode::usage, "--refine times blocks for the dual method; leave --method out");
  if (options.models.empty() && isatty(STDIN_FILENO) != 0)
    throw Error(ErrorCode::usage, "estimate needs a MODEL; `ampere models` lists them");
  Session session{
      options, options.setup.setup(), options.workload(), options.conversions(), nullptr, nullptr};
  // All names are read before anything is opened or measured; none stands for standard input.
  std::vector<std::optional<Model>> models;
  for (const std::string& spec : options.models)
    models.push_back(spec == "-" ? std::nullopt : std::optional(options.source.open(spec)));
  if (models.empty()) models.emplace_back();
  if ((options.automatic || options.refine) &&
      std::ranges::any_of(models, [](const auto& m) { return !m; }))
    throw Error(ErrorCode::usage, "--auto and --refine need every MODEL on the command line");
  session.store = open_store(options.store, measuring ? Access::write : Access::read);
  if (measuring) session.rig = options.rig.open();
  if (options.automatic) profile_missing(session, models);

  for (std::size_t i = 0; i < models.size(); ++i) {
    if (models[i])
      answer_one(session, *models[i], options.models[i]);
    else
      answer_stream(session, std::cin);
  }
  if (!session.all_covered)
    throw Error(
        ErrorCode::unknown,
        "a part of the network was never profiled; run `ampere profile MODEL`, or add --auto");
}

}  // namespace

void add_estimate(CLI::App& app, const Settings& settings) {
  auto options = std::make_shared<Options>();
  options->confidence = settings.confidence;
  options->carbon = settings.carbon_g_per_kwh;
  options->price = settings.price_per_kwh;
  CLI::App* command = app.add_subcommand(
      "estimate", "Energy and time of training a network, with interval and parts");
  add_models_argument(*command, options->models);
  add_onnx_options(*command, options->source);
  command->get_option("MODEL")->description(
      "Zoo name, .onnx or .json file, or - for one model a line on standard input (the default)");
  add_setup_options(*command, options->setup, settings);
  command->add_option("--iterations", options->iterations, "Training iterations; 1 without it");
  command->add_option("--epochs", options->epochs,
                      "Instead of --iterations, together with --samples");
  command->add_option("--samples", options->samples, "Samples in the training set");
  command->add_option("--confidence", options->confidence, "Of the interval")
      ->capture_default_str();
  command->add_option(
      "--method", options->method,
      "Estimator: dual is ours, ampere the published method, flops, … the baselines; "
      "without it the best the profile has");
  command->add_option("--profile", options->profile,
                      "Id, fingerprint or part of the device's name; without it the latest");
  command->add_flag("--auto", options->automatic, "Profile first what is missing");
  command->add_flag("--refine", options->refine,
                    "First time this network's blocks alone on the device: tenths of a second");
  command->add_flag("--check", options->check, "Then train for real and compare");
  command->add_flag("--no-learning", options->no_learning,
                    "Keep what --check measures out of what later estimates are fitted to");
  command->add_option("--battery", options->battery,
                      "Show the share of a battery: 4500mAh@3.85V, 50Wh");
  command->add_option("--carbon", options->carbon, "Show the carbon, at this many g/kWh");
  command->add_option("--price", options->price, "Show the price, at this much per kWh");
  add_rig_options(*command, options->rig, settings);
  add_precision_options(*command, options->precision);
  add_store_option(*command, options->store, settings);
  add_json_flag(*command, options->json);
  add_example(*command, "ampere estimate cnn5 --iterations 2000 --battery 4500mAh@3.85V");
  CLI::Option* rig = command->get_option("--rig");
  command->callback([options, rig] {
    options->rig_given = rig->count() > 0;
    estimate(*options);
  });
}

}  // namespace ampere
