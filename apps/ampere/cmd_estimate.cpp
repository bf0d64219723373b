#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "ampere/error.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "commands.h"
#include "estimate_options.h"
#include "estimate_output.h"
#include "knowledge.h"
#include "method/dual/dual.h"
#include "method/kernels/survey.h"
#include "model/model_json.h"
#include "options.h"
#include "profiling.h"
#include "session/whole_network.h"

namespace ampere {
namespace {

struct Options {
  std::vector<std::string> models;
  ModelSource source;
  SetupOptions setup;
  RigSelection rig;
  bool rig_given = false;
  MeasuringOptions measuring;
  WorkloadOptions work;
  ConversionOptions terms;
  std::string store, profile, method, mode = "training";
  bool automatic = false, check = false, refine = false, no_learning = false, json = false;
  bool batch_given = false;

  bool of_inference() const { return mode == "inference"; }
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

// An inference is estimated at the batch it was surveyed at, unless one is asked for.
ChosenProfile choose(Session& session) {
  const Options& options = session.options;
  const std::string rig = options.rig_given ? options.rig.rig : "";
  if (!options.of_inference())
    return choose_profile(*session.store, ProfileRequest{session.setup, options.profile, rig});
  InferenceRequest request{{}, options.profile, rig};
  if (options.batch_given) request.batch = options.setup.batch;
  ChosenProfile chosen = choose_profile(*session.store, request);
  session.setup = chosen.row.setup;
  return chosen;
}

void answer(Session& session, const Model& model, const std::string& name,
            const ChosenProfile& chosen, const Answerer& answerer,
            std::optional<double> host_slowdown = std::nullopt) {
  Answer found = answerer(model, session.workload);
  EstimateReport report{name,
                        std::move(found.method),
                        session.setup,
                        session.workload,
                        &chosen.row,
                        std::move(found.estimate),
                        {},
                        host_slowdown};
  report.estimate.warnings.insert(report.estimate.warnings.end(), chosen.warnings.begin(),
                                  chosen.warnings.end());
  // Where nothing is covered the method cannot tell.
  report.estimate.source = std::max(report.estimate.source, chosen.row.device.source);
  session.all_covered &= report.estimate.uncovered.empty();
  if (session.options.check)
    report.checked =
        measure_whole_network(model, *session.rig, session.options.rig.rig, *session.store,
                              session.setup, session.options.measuring.precision(),
                              session.options.no_learning ? Learning::no : Learning::yes);
  if (session.options.check && session.options.of_inference() && !session.options.no_learning)
    keep_composition(*session.store, chosen.row.id);
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
  const ChosenProfile chosen = choose(session);
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

// Times the network's own blocks first, and the host by the profile's reference: the network itself
// never runs.
void answer_refined(Session& session, const Model& model, const std::string& name,
                    const ChosenProfile& chosen) {
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
    // says what is not covered; timing the rest would not help
    return answer(session, model, name, chosen, Answerer(known));
  known = refine_dual(model, known, *session.rig, *session.store, chosen.row.id, session.setup);
  std::optional<double> slowdown;
  if (has_host(*known))
    slowdown = slowdown_now(*session.rig, *session.store, chosen.row.id, session.setup);
  answer(session, model, name, chosen, Answerer(slowdown ? with_host(*known, *slowdown) : known),
         slowdown);
}

void answer_one(Session& session, const Model& model, const std::string& name) {
  const ChosenProfile chosen = choose(session);
  if (session.options.refine)
    answer_refined(session, model, name, chosen);
  else
    answer(session, model, name, chosen,
           Answerer(*session.store, chosen.row, session.options.method, &model));
}

void profile_missing(Session& session, std::span<const std::optional<Model>> asked) {
  std::vector<Model> models;
  for (const std::optional<Model>& model : asked) models.push_back(model.value());
  const Options& options = session.options;
  profile_for_method(options.method, options.models, models, *session.rig, options.rig.rig,
                     *session.store, session.setup, options.measuring);
}

void check_inference(const Options& options) {
  if (options.automatic || options.refine)
    throw Error(ErrorCode::usage,
                "--auto and --refine are for training; for inference run `ampere kernels measure` "
                "first");
  if (options.work.epochs > 0)
    throw Error(
        ErrorCode::usage,
        "--epochs is for training; for inference give --iterations, the number of inferences");
  if (!options.method.empty()) parse_inference_method(options.method);
}

void estimate(const Options& options) {
  const bool measuring = options.automatic || options.check || options.refine;
  if (options.of_inference())
    check_inference(options);
  else
    check_method(options.method);
  if (options.refine && !options.method.empty() && options.method != "dual")
    throw Error(ErrorCode::usage, "--refine times blocks for the dual method; leave --method out");
  if (options.models.empty() && isatty(STDIN_FILENO) != 0)
    throw Error(ErrorCode::usage, "estimate needs a MODEL; `ampere models` lists them");
  const Setup setup = options.setup.setup();
  Session session{options, setup,  options.work.workload(setup.batch), options.terms.conversions(),
                  nullptr, nullptr};
  // Every network is opened before anything is measured; no network means standard input.
  std::vector<std::optional<Model>> models;
  for (const std::string& spec : options.models)
    models.push_back(spec == "-" ? std::nullopt : std::optional(options.source.open(spec)));
  if (models.empty()) models.emplace_back();
  if ((options.automatic || options.refine) &&
      std::ranges::any_of(models, [](const auto& m) { return !m; }))
    throw Error(ErrorCode::usage, "--auto and --refine need every MODEL on the command line");
  session.store = options.of_inference() && !measuring
                      ? open_surveyed(options.store)
                      : open_store(options.store, measuring ? Access::write : Access::read);
  if (measuring) session.rig = options.rig.open();
  if (options.automatic) profile_missing(session, models);

  for (std::size_t i = 0; i < models.size(); ++i) {
    if (models[i])
      answer_one(session, *models[i], options.models[i]);
    else
      answer_stream(session, std::cin);
  }
  if (!session.all_covered)
    throw Error(ErrorCode::unknown,
                options.of_inference()
                    ? "a part of the network has no predictor; run `ampere kernels measure MODEL`"
                    : "a part of the network was never profiled; run `ampere profile MODEL`, or "
                      "add --auto");
}

}  // namespace

void add_estimate(CLI::App& app, const Settings& settings) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("estimate",
                                         "Estimates the energy and time of training a network, or "
                                         "of inference, with intervals and parts");
  add_models_argument(*command, options->models);
  add_onnx_options(*command, options->source);
  command->get_option("MODEL")->description(
      "Zoo name, path to a .onnx or .json model file, or - to read one MODEL per line from "
      "standard input (the default)");
  add_mode_option(*command, options->mode,
                  "What to estimate; inference is estimated kernel by kernel");
  add_setup_options(*command, options->setup, settings);
  add_workload_options(*command, options->work, settings);
  add_method_option(*command, options->method);
  add_profile_option(*command, options->profile);
  command->add_flag("--auto", options->automatic, "Before estimating, profile what is missing");
  command->add_flag("--refine", options->refine,
                    "Before estimating, time this network's blocks and the host on the device "
                    "(takes a few seconds)");
  command->add_flag("--check", options->check, "After estimating, train the network and compare");
  command->add_flag("--no-learning", options->no_learning,
                    "Do not use what --check measures for later estimates");
  add_conversion_options(*command, options->terms, settings);
  add_rig_options(*command, options->rig, settings);
  add_measuring_options(*command, options->measuring, {},
                        DualProfileOptions{}.precision.time_limit);
  add_store_option(*command, options->store, settings);
  add_json_flag(*command, options->json);
  add_example(*command, "ampere estimate cnn5 --iterations 2000 --battery 4500mAh@3.85V");
  CLI::Option* rig = command->get_option("--rig");
  CLI::Option* batch = command->get_option("--batch");
  command->callback([options, rig, batch] {
    options->rig_given = rig->count() > 0;
    options->batch_given = batch->count() > 0;
    estimate(*options);
  });
}

}  // namespace ampere
