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
#include "estimate_subject.h"
#include "export_options.h"
#include "front_door.h"
#include "generation_output.h"
#include "options.h"
#include "profile_command.h"
#include "profile_options.h"
#include "remedies.h"
#include "report/generation_json.h"
#include "rig/rig_spec.h"
#include "script_argument.h"
#include "smaller_batch.h"
#include "terminal.h"
#include "widths_output.h"

namespace ampere {
namespace {

struct EstimateArguments {
  std::vector<std::string> models;
  std::vector<std::string> arguments;  // of scripts
  ModelSource source;
  SetupOptions setup;
  RigSelection rig;
  bool rig_given = false;
  MeasuringOptions measuring;
  WorkloadOptions work;
  ConversionOptions terms;
  std::string store, profile, device, method, mode = "training";
  bool automatic = false, check = false, refine = false, no_learning = false, json = false;
  bool modules = false, batch_given = false;
  bool sensitivity = false, widths = false;
  ExportOptions exports;
  GenerationOptions generation;
  std::string generation_option;  // the first of them that was given, or empty
  std::string not_of_generation;  // the first given option that has no meaning there, or empty
  bool precision_given = false;
  std::string setup_option;  // the first one that was given, or empty

  bool of_inference() const { return mode == "inference"; }
  bool measures() const { return automatic || check || refine; }
};

// The step of the user's own with so few samples that only the host takes time.
Step probe_of(const EstimateSubject& subject) {
  constexpr std::int64_t kFewSamples = 2;
  if (!subject.script) return {};
  const auto smaller = with_batch(*subject.script, kFewSamples);
  return smaller ? Step(*smaller) : Step();
}

// Answers one network after the other from one session, and prints each.
class Estimating {
 public:
  explicit Estimating(const EstimateArguments& options)
      : options_(options), selection_(options.rig), conversions_(options.terms.conversions()) {
    query_.setup = options.of_inference() ? options.setup.inference() : options.setup.setup();
    // An inference is estimated at the batch it was surveyed at, unless one is asked for.
    query_.any_batch = options.of_inference() && !options.batch_given;
    query_.profile = options.profile;
    query_.device = options.device;
    if (options.rig_given && options.device.empty()) query_.rig = options.rig.rig;
    query_.rig_options = options.rig.options();
    query_.method = options.method;
    workload_ = options.work.workload(query_.setup.batch);
  }

  // Every network is opened before anything is measured; no network means standard input.
  void run() try {
    options_.exports.check(options_.terms.carbon);
    std::vector<std::optional<EstimateSubject>> subjects;
    std::vector<Script> scripts;
    for (const std::string& text : options_.models) {
      if (text == "-") {
        subjects.emplace_back();
      } else if (is_script(text)) {
        const auto script = script_argument(text, options_.arguments);
        subjects.push_back(EstimateSubject{text, Program{}, script});
      } else {
        subjects.push_back(open_subject(text, options_.source));
      }
      if (subjects.back()) check_subject(*subjects.back());
    }
    if (subjects.empty()) subjects.emplace_back();
    if (subjects.front() && subjects.front()->program() == nullptr) about_ = subjects.front()->name;
    open(subjects);
    for (std::optional<EstimateSubject>& subject : subjects) {
      if (!subject) {
        answer_stream(std::cin);
        continue;
      }
      if (subject->script) trace(*subject);
      answer_one(*subject);
    }
    if (unsteady_)
      fmt::print(stderr,
                 "ampere: the machine was too unsteady while it was profiled; with another store, "
                 "`ampere profile MODEL --steady` waits for calm and measures longer\n");
    if (bad_lines_ > 0)
      throw Error(ErrorCode::failed,
                  fmt::format("{} of {} lines could not be answered", bad_lines_, lines_));
    if (!all_covered_) throw Error(ErrorCode::unknown, advice_on_uncovered());
  } catch (const Error& error) {
    throw with_profile_command(error, missing_profile());
  }

 private:
  using Subjects = std::vector<std::optional<EstimateSubject>>;

  std::string advice_on_uncovered() const {
    if (options_.of_inference())
      return "a part of the network has no predictor; run `ampere kernels measure MODEL`";
    return fmt::format("{}; run `{}`, or add --auto",
                       uncovered_by_operations_
                           ? "a general profile does not cover this network with this setup"
                           : "a part of the network was never profiled",
                       profile_command(uncovered_));
  }

  // What would be profiled for the network that is being answered.
  MissingProfile missing_profile() const {
    MissingProfile missing{about_, query_.setup, options_.rig_given ? options_.rig.rig : ""};
    const bool of_any_device = options_.device.empty() && options_.profile.empty();
    if (missing.rig.empty() && of_any_device && session_)
      missing.rig = rig_of(session_->store().profiles());
    return missing;
  }

  // Programs and scripts have their own setup, and need a general profile.
  void check_subject(const EstimateSubject& subject) const {
    if (subject.program() == nullptr) return;
    const auto refuse = [&](const std::string& why) {
      throw Error(ErrorCode::usage, fmt::format("{}: {}", subject.name, why));
    };
    if (subject.script) refuse_setup_option(options_.setup_option);
    if (!options_.setup_option.empty())
      refuse(
          fmt::format("is one traced iteration, whose setup is fixed; leave {} out, or trace it "
                      "with another",
                      options_.setup_option));
    if (options_.of_inference()) refuse("is one iteration as it was traced; leave --mode out");
    if (options_.sensitivity || options_.widths)
      refuse(
          "is one traced iteration, whose widths are fixed; --sensitivity and --widths need a "
          "network");
    if (options_.automatic)
      refuse(
          "is estimated from a general profile; run `ampere profile --general` instead of --auto");
    if (options_.check && !subject.script)
      refuse("is a file that nothing can be trained from; --check needs the network or the script");
    if (options_.work.epochs > 0 && !subject.script) samples_of(*subject.program());
  }

  void open(const Subjects& subjects) {
    const bool measuring = options_.measures();
    if ((options_.automatic || options_.refine) &&
        std::ranges::any_of(subjects, [](const auto& subject) { return !subject; }))
      throw Error(ErrorCode::usage, "--auto and --refine need every MODEL on the command line");
    const bool traces = std::ranges::any_of(
        subjects, [](const auto& subject) { return subject && subject->script; });
    session_.emplace(open_store_for(measuring));
    if (traces) selection_.rig = torch_rig_of(selection_.rig);  // a script trains in Python
    // Where nothing is measured, it does not matter which meter the rig has.
    if (measuring)
      rig_ = selection_.open();
    else if (traces)
      rig_ = open_rig(selection_.rig, selection_.options());
    if (rig_ && query_.profile.empty() && query_.device.empty()) {
      // What is measured or traced here is compared with the profile of this device.
      query_.profile = rig_->device().fingerprint;
      query_.rig.clear();
    }
    if (options_.automatic) profile_missing(subjects);
  }

  Session open_store_for(bool measuring) {
    if (!measuring && options_.of_inference()) return open_surveyed_session(options_.store);
    // Profiles that came with the program need no store.
    if (!measuring && !options_.device.empty()) return open_preview_session(options_.store);
    return open_session(options_.store, measuring ? Access::write : Access::read, &listener_);
  }

  NamedRig named_rig() const { return {*rig_, selection_.rig}; }

  void profile_missing(const Subjects& subjects) {
    ProfileRequest request{{}, query_.setup, "", profile_options(options_.measuring)};
    // Baselines rest on what the others measure.
    if (options_.method == "dual" || options_.method == "ampere") request.method = options_.method;
    for (const std::optional<EstimateSubject>& subject : subjects)
      request.models.push_back(std::get<Model>(subject.value().what));
    const ProfileSummary summary = session_->profile(request, named_rig());
    listener_.finish();
    print_warnings(summary.warnings);
  }

  void trace(EstimateSubject& subject) {
    TraceRequest request;
    request.step = *subject.script;
    Trace traced = rig_->trace(request);
    for (const std::string& note : traced.notes)
      fmt::print(stderr, "ampere: note: {}: {}\n", subject.name, plain_lines(note));
    subject.what = std::move(traced.program);
  }

  // Of a program the samples of its own iterations.
  Workload workload_of(const EstimateSubject& subject) const {
    if (subject.program() == nullptr || options_.work.epochs == 0) return workload_;
    return options_.work.workload(samples_of(*subject.program()));
  }

  void answer_one(const EstimateSubject& subject) {
    about_ = subject.name;
    const Workload workload = workload_of(subject);
    if (const Program* program = subject.program()) {
      Answer answer = options_.refine ? session_->refine(*program, probe_of(subject), query_,
                                                         workload, named_rig())
                                      : session_->estimate(*program, query_, workload);
      if (options_.refine && subject.script && !with_batch(*subject.script, 1))
        answer.estimate.warnings.push_back(
            "the host was not measured, since the script was given no argument batch to make the "
            "step small by");
      give(subject, std::move(answer), workload);
      return;
    }
    const Model& model = std::get<Model>(subject.what);
    give(subject,
         options_.refine ? session_->refine(model, query_, workload, named_rig())
                         : session_->estimate(model, query_, workload),
         workload);
  }

  // Line by line, in constant memory. A line that cannot be answered gets its error, and the next
  // ones are answered.
  void answer_stream(std::istream& in) {
    const auto answerer = session_->answerer(query_);
    std::unique_ptr<ProgramAnswerer> program_answerer;  // loaded when the first program comes
    std::int64_t number = 0;
    for (std::string line; read_line(in, line, "standard input");) {
      ++number;
      const std::string text(trim(line));
      if (text.empty()) continue;
      if (session_->stop().stop_requested())
        throw Error(ErrorCode::interrupted, fmt::format("interrupted before line {}", number));
      ++lines_;
      try {
        about_.clear();
        const EstimateSubject subject = read_subject(text, options_.source);
        about_ = subject.name;
        check_subject(subject);
        const Workload workload = workload_of(subject);
        if (const Program* program = subject.program()) {
          if (!program_answerer) program_answerer = session_->program_answerer(query_);
          give(subject, program_answerer->answer(*program, workload), workload);
        } else {
          give(subject, answerer->answer(std::get<Model>(subject.what), workload), workload);
        }
      } catch (const Error& error) {
        if (error.code() == ErrorCode::interrupted) throw;
        tell_bad_line(number, with_profile_command(error, missing_profile()));
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

  Check check(const EstimateSubject& subject, const Answer& answer, const Workload& workload) {
    const Precision precision = options_.measuring.precision();
    if (subject.script)
      return session_->check(*subject.script, answer, workload, precision, named_rig());
    return session_->check(std::get<Model>(subject.what), answer, workload, precision, named_rig(),
                           options_.no_learning ? Learning::no : Learning::yes);
  }

  void give(const EstimateSubject& subject, const Answer& answer, const Workload& workload) {
    if (!answer.estimate.uncovered.empty()) {
      if (all_covered_) uncovered_ = missing_profile();
      all_covered_ = false;
      uncovered_by_operations_ |= answer.profile.general;
    }
    const ProfileRow& row = answer.profile.row;
    EstimateReport report{
        plain_text(subject.name), answer.method,    row.setup, workload, &row, answer.estimate, {},
        answer.host_slowdown,     subject.program()};
    if (const auto* model = std::get_if<Model>(&subject.what))
      warn_of_smaller_batch(*model, report.setup, row.device, report.estimate);
    if (options_.check) report.checked = check(subject, answer, workload);
    listener_.finish();
    if (options_.widths) {
      stream_widths(subject.name, std::get<Model>(subject.what), answer, *session_);
      return;
    }
    std::optional<Sensitivity> sensitive;
    if (options_.sensitivity && answer.estimate.energy_j)
      sensitive = sensitivity_of(std::get<Model>(subject.what), answer, *session_);
    if (answer.estimate.unsteady) unsteady_ = true;
    if (options_.json) {
      Json json = estimate_json(report, conversions_);
      if (sensitive) json["sensitivity"] = sensitivity_json(*sensitive);
      fmt::print("{}\n", json_text(json));
    } else {
      print_estimate(report, conversions_, options_.modules ? Shares::modules : Shares::groups);
      if (sensitive) print_sensitivity(*sensitive);
    }
    if (answer.estimate.energy_j) write_exports(report);
  }

  void write_exports(const EstimateReport& report) const {
    if (!options_.exports.any()) return;
    Footprint footprint;
    footprint.name = report.model;
    footprint.device = report.profile->device.name;
    footprint.is_gpu = measures_gpu(report.profile->device.meter);
    footprint.energy_j = report.estimate.energy_j->mean;
    footprint.time_s = report.estimate.time_s->mean;
    footprint.energy_interval_j = report.estimate.energy_j;
    footprint.iterations = report.workload.iterations;
    footprint.estimated = true;
    footprint.source = report.estimate.source;
    options_.exports.write(footprint, options_.terms.carbon);
  }

  const EstimateArguments& options_;
  RigSelection selection_;
  ProfileQuery query_;
  Workload workload_;
  Conversions conversions_;
  TerminalListener listener_;
  std::optional<Session> session_;
  std::unique_ptr<Rig> rig_;  // only when something is measured or traced
  std::string about_;         // the network that is being answered, as it was named
  MissingProfile uncovered_;  // of the first that is not covered
  bool all_covered_ = true, uncovered_by_operations_ = false, unsteady_ = false;
  std::int64_t lines_ = 0, bad_lines_ = 0;  // of standard input
};

void check_inference(const EstimateArguments& options) {
  if (options.automatic)
    throw Error(ErrorCode::usage,
                "--auto is for training; for inference run `ampere kernels measure` first");
  if (options.refine && !options.method.empty() && options.method != "kernels")
    throw Error(ErrorCode::usage,
                "--refine is for the method kernels at inference; leave --method out");
  if (options.work.epochs > 0)
    throw Error(
        ErrorCode::usage,
        "--epochs is for training; for inference give --iterations, the number of inferences");
}

GenerationQuestion question_of(const EstimateArguments& options) {
  GenerationQuestion question;
  question.models = options.models;
  question.arguments = options.arguments;
  question.options = options.generation;
  if (options.batch_given) question.batch = options.setup.batch;
  question.usual_batch = options.setup.batch;
  if (options.precision_given) question.number_format = options.setup.precision;
  question.confidence = options.work.confidence;
  question.refine = options.refine;
  question.query.profile = options.profile;
  question.query.device = options.device;
  if (options.rig_given && options.device.empty()) question.query.rig = options.rig.rig;
  question.query.rig_options = options.rig.options();
  question.query.method = options.method;
  question.rig = options.rig;
  question.store = options.store;
  return question;
}

void estimate_generation(const EstimateArguments& options) {
  if (!options.not_of_generation.empty())
    throw Error(ErrorCode::usage,
                fmt::format("{}: has no meaning for --mode generation", options.not_of_generation));
  if (!options.device.empty() && !options.profile.empty())
    throw Error(ErrorCode::usage, "--device and --profile both choose a profile; give only one");
  const GenerationQuestion question = question_of(options);
  if (options.generation.calls) {
    list_calls(question, options.json);
    return;
  }
  const Generated generated = answer_generation(question);
  if (options.json)
    fmt::print("{}\n", json_text(generation_json(generated.task, generated.answer)));
  else
    print_generation(generated);
}

void estimate(const EstimateArguments& options) {
  if (options.mode == "generation") {
    estimate_generation(options);
    return;
  }
  if (!options.generation_option.empty())
    throw Error(ErrorCode::usage, fmt::format("{}: is for language models that generate text; add "
                                              "--mode generation",
                                              options.generation_option));
  if (options.of_inference()) check_inference(options);
  check_method(options.method, options.of_inference() ? Phase::inference : Phase::iteration);
  if (options.refine && !options.of_inference() && !options.method.empty() &&
      options.method != "dual" && options.method != "operations")
    throw Error(ErrorCode::usage,
                "--refine is for the methods dual and operations; leave --method out");
  if (!options.device.empty() && !options.profile.empty())
    throw Error(ErrorCode::usage, "--device and --profile both choose a profile; give only one");
  if (!options.arguments.empty() && std::ranges::none_of(options.models, is_script))
    throw Error(ErrorCode::usage,
                "--arg: there is no script that takes arguments; write FILE.py:FUNCTION");
  const bool of_widths = options.sensitivity || options.widths;
  if ((of_widths || options.exports.any()) &&
      (options.models.size() != 1 || options.models.front() == "-"))
    throw Error(ErrorCode::usage,
                "--sensitivity, --widths and --export need exactly one MODEL on the command line");
  if (of_widths && options.of_inference())
    throw Error(ErrorCode::usage, "--sensitivity and --widths are for training; leave --mode out");
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
      "Zoo name, path to a .onnx or .json model file or to a traced .program, a training step of "
      "your own, FILE.py:FUNCTION, or - to read one MODEL per line from standard input (the "
      "default)");
  add_script_arguments(*command, options->arguments);
  add_mode_option(*command, options->mode,
                  "What to estimate; inference is estimated kernel by kernel, generation is that "
                  "of text by a language model (docs/generation.md)",
                  {"training", "inference", "generation"});
  add_setup_options(*command, options->setup, settings);
  add_workload_options(*command, options->work, settings);
  add_method_option(*command, options->method);
  add_profile_option(*command, options->profile);
  command->add_option("--device", options->device,
                      "Device to estimate for, by part of its name; also those that came with the "
                      "program, which need no store");
  command->add_flag("--modules", options->modules,
                    "List the modules of the network instead of groups of operations, where the "
                    "method is operations");
  command->add_flag("--auto", options->automatic, "Before estimating, profile what is missing");
  command->add_flag("--refine", options->refine,
                    "Before estimating, time this network's blocks or operations and the host on "
                    "the device; at inference the host alone (takes a few seconds)");
  command->add_flag("--check", options->check, "After estimating, train the network and compare");
  command->add_flag("--no-learning", options->no_learning,
                    "Do not use what --check measures for later estimates");
  command->add_flag("--sensitivity", options->sensitivity,
                    "Also tell what each free width costs per channel, and where its steps are");
  command->add_flag("--widths", options->widths,
                    "Answer requests for other widths of the network, as lines of JSON on standard "
                    "input, instead of printing one estimate (docs/search.md)");
  add_generation_options(*command, options->generation);
  add_conversion_options(*command, options->terms, settings);
  options->exports.add_to(*command);
  add_rig_options(*command, options->rig, settings);
  add_measuring_options(*command, options->measuring, {}, kDualPointSeconds);
  add_steady_option(*command, options->measuring, options->rig);
  add_store_option(*command, options->store, settings);
  add_json_flag(*command, options->json);
  add_example(*command,
              "ampere estimate cnn5 --iterations 2000 --battery 4500mAh@3.85V\n"
              "  ampere estimate gpt.py:build --mode generation --prompt 512 --new-tokens 256 "
              "--batch 8");
  CLI::Option* rig = command->get_option("--rig");
  CLI::Option* batch = command->get_option("--batch");
  command->callback([options, rig, batch, command] {
    options->setup_option = given_setup_option(*command);
    options->generation_option = given_generation_option(*command);
    options->not_of_generation = option_without_generation(*command);
    options->precision_given = command->count("--precision") > 0;
    options->rig_given = rig->count() > 0;
    options->batch_given = batch->count() > 0;
    estimate(*options);
  });
}

}  // namespace ampere
