#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "ampere/error.h"
#include "base/json_text.h"
#include "base/plain_text.h"
#include "base/read_line.h"
#include "base/text.h"
#include "commands.h"
#include "estimate_options.h"
#include "estimate_output.h"
#include "front_door.h"
#include "model/model_json.h"
#include "options.h"
#include "profile_options.h"
#include "remedies.h"
#include "terminal.h"

namespace ampere {
namespace {

struct EstimateArguments {
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

// Answers one network after the other from one session, and prints each.
class Estimating {
 public:
  explicit Estimating(const EstimateArguments& options)
      : options_(options), conversions_(options.terms.conversions()) {
    query_.setup = options.of_inference() ? options.setup.inference() : options.setup.setup();
    // An inference is estimated at the batch it was surveyed at, unless one is asked for.
    query_.any_batch = options.of_inference() && !options.batch_given;
    query_.profile = options.profile;
    if (options.rig_given) query_.rig = options.rig.rig;
    query_.rig_options = options.rig.options();
    query_.method = options.method;
    workload_ = options.work.workload(query_.setup.batch);
  }

  // Every network is opened before anything is measured; no network means standard input.
  void run() {
    std::vector<std::optional<Model>> models;
    for (const std::string& spec : options_.models)
      models.push_back(spec == "-" ? std::nullopt : std::optional(options_.source.open(spec)));
    if (models.empty()) models.emplace_back();
    open(models);
    for (std::size_t i = 0; i < models.size(); ++i) {
      if (models[i])
        answer_one(*models[i], options_.models[i]);
      else
        answer_stream(std::cin);
    }
    if (unsteady_)
      fmt::print(stderr,
                 "ampere: the machine was too unsteady while it was profiled; with another store, "
                 "`ampere profile MODEL --steady` waits for calm and measures longer\n");
    if (bad_lines_ > 0)
      throw Error(ErrorCode::failed,
                  fmt::format("{} of {} lines could not be answered", bad_lines_, lines_));
    if (!all_covered_)
      throw Error(ErrorCode::unknown,
                  options_.of_inference()
                      ? "a part of the network has no predictor; run `ampere kernels measure MODEL`"
                      : "a part of the network was never profiled; run `ampere profile MODEL`, or "
                        "add --auto");
  }

 private:
  void open(const std::vector<std::optional<Model>>& models) {
    const bool measuring = options_.automatic || options_.check || options_.refine;
    if ((options_.automatic || options_.refine) &&
        std::ranges::any_of(models, [](const auto& model) { return !model; }))
      throw Error(ErrorCode::usage, "--auto and --refine need every MODEL on the command line");
    session_.emplace(
        options_.of_inference() && !measuring
            ? open_surveyed_session(options_.store)
            : open_session(options_.store, measuring ? Access::write : Access::read, &listener_));
    if (measuring) rig_ = options_.rig.open();
    if (measuring && query_.profile.empty()) {  // what is measured here is compared with its own
      query_.profile = rig_->device().fingerprint;
      query_.rig.clear();
    }
    if (options_.automatic) profile_missing(models);
  }

  NamedRig named_rig() const { return {*rig_, options_.rig.rig}; }

  void profile_missing(const std::vector<std::optional<Model>>& asked) {
    ProfileRequest request{{}, query_.setup, "", profile_options(options_.measuring)};
    // Baselines rest on what the others measure.
    if (options_.method == "dual" || options_.method == "ampere") request.method = options_.method;
    for (const std::optional<Model>& model : asked) request.models.push_back(model.value());
    const ProfileSummary summary = session_->profile(request, named_rig());
    listener_.finish();
    print_warnings(summary.warnings);
  }

  void answer_one(const Model& model, const std::string& name) {
    give(model, name,
         options_.refine ? session_->refine(model, query_, workload_, named_rig())
                         : session_->estimate(model, query_, workload_));
  }

  // Line by line, in constant memory. A line that cannot be answered gets its error, and the next
  // ones are answered.
  void answer_stream(std::istream& in) {
    const auto answerer = session_->answerer(query_);
    std::int64_t number = 0;
    for (std::string line; read_line(in, line, "standard input");) {
      ++number;
      const std::string text(trim(line));
      if (text.empty()) continue;
      if (session_->stop().stop_requested())
        throw Error(ErrorCode::interrupted, fmt::format("interrupted before line {}", number));
      ++lines_;
      try {
        std::string name;
        const Model model = read_line_model(text, options_.source, name);
        give(model, name, answerer->answer(model, workload_));
      } catch (const Error& error) {
        if (error.code() == ErrorCode::interrupted) throw;
        tell_bad_line(number, error);
      }
    }
  }

  void tell_bad_line(std::int64_t number, const Error& error) {
    ++bad_lines_;
    const std::string message = with_remedy(error);
    if (options_.json)
      fmt::print(
          "{}\n",
          json_text(Json{{"line", number},
                         {"error", {{"code", to_string(error.code())}, {"message", message}}}}));
    else
      fmt::print(stderr, "ampere: line {}: {}\n", number, plain_lines(message));
  }

  void give(const Model& model, const std::string& name, Answer answer) {
    all_covered_ &= answer.estimate.uncovered.empty();
    const ProfileRow& row = answer.profile.row;
    EstimateReport report{
        plain_text(name),    answer.method, row.setup, workload_, &row, answer.estimate, {},
        answer.host_slowdown};
    if (options_.check)
      report.checked =
          session_->check(model, answer, workload_, options_.measuring.precision(), named_rig(),
                          options_.no_learning ? Learning::no : Learning::yes);
    listener_.finish();
    if (answer.estimate.unsteady) unsteady_ = true;
    if (options_.json)
      fmt::print("{}\n", json_text(estimate_json(report, conversions_)));
    else
      print_estimate(report, conversions_);
  }

  // A line of standard input: a MODEL, or a JSON object that is a model file or names one under
  // "model".
  static Model read_line_model(const std::string& line, const ModelSource& source,
                               std::string& name) {
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

  const EstimateArguments& options_;
  ProfileQuery query_;
  Workload workload_;
  Conversions conversions_;
  TerminalListener listener_;
  std::optional<Session> session_;
  std::unique_ptr<Rig> rig_;  // only when something is measured
  bool all_covered_ = true, unsteady_ = false;
  std::int64_t lines_ = 0, bad_lines_ = 0;  // of standard input
};

void check_inference(const EstimateArguments& options) {
  if (options.automatic || options.refine)
    throw Error(ErrorCode::usage,
                "--auto and --refine are for training; for inference run `ampere kernels measure` "
                "first");
  if (options.work.epochs > 0)
    throw Error(
        ErrorCode::usage,
        "--epochs is for training; for inference give --iterations, the number of inferences");
}

void estimate(const EstimateArguments& options) {
  if (options.of_inference()) check_inference(options);
  check_method(options.method, options.of_inference() ? Phase::inference : Phase::iteration);
  if (options.refine && !options.method.empty() && options.method != "dual")
    throw Error(ErrorCode::usage, "--refine times blocks for the dual method; leave --method out");
  if (options.models.empty() && isatty(STDIN_FILENO) != 0)
    throw Error(ErrorCode::usage, "estimate needs a MODEL; `ampere models` lists them");
  Estimating(options).run();
}

}  // namespace

void add_estimate(CLI::App& app, const Settings& settings) {
  auto options = std::make_shared<EstimateArguments>();
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
  add_measuring_options(*command, options->measuring, {}, kDualPointSeconds);
  add_steady_option(*command, options->measuring, options->rig);
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
