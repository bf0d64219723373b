#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "ampere/error.h"
#include "base/json_text.h"
#include "base/plain_text.h"
#include "commands.h"
#include "diff_output.h"
#include "estimate_options.h"
#include "estimate_subject.h"
#include "front_door.h"
#include "interrupt.h"
#include "options.h"
#include "ranges.h"
#include "remedies.h"
#include "report/diff_json.h"
#include "revision/revision.h"
#include "rig/rig_spec.h"
#include "script_argument.h"
#include "terminal.h"

namespace ampere {
namespace {

// Beside those of errors: the change costs more than it may.
constexpr int kAboveTheLimit = 6;

struct DiffArguments {
  std::string before, after;
  std::vector<std::string> arguments;  // of scripts
  std::vector<std::string> arguments_before, arguments_after;
  ModelSource source;
  SetupOptions setup;
  RigSelection rig;
  std::string store, profile, device, method;
  double confidence = 0.9;
  std::vector<std::string> limits;
  bool json = false, markdown = false, operations = false, all = false, unrelated = false;
  bool refine = false, check = false;
  int rounds = 3;
  MeasuringOptions measuring;
  std::string setup_option;  // the first one that was given, or empty

  bool measures() const { return refine || check; }
};

// Of one side in one round.
constexpr Precision kCheck{.relative_error = 0.05, .time_limit = Seconds(3), .min_windows = 3};

class Diffing {
 public:
  explicit Diffing(const DiffArguments& options) : options_(options), files_(stop_token()) {
    query_.setup = options.setup.setup();
    query_.profile = options.profile;
    query_.device = options.device;
    query_.method = options.method;
    for (const std::string& text : options.limits) limits_.push_back(parse_limit(text));
  }

  // An error about a copy of a file is about what the user wrote.
  bool run() try { return compare(); } catch (const Error& error) {
    throw error.saying(files_.as_written(error.what()));
  }

 private:
  bool compare() {
    DiffSide before = open(options_.before, options_.arguments_before),
             after = open(options_.after, options_.arguments_after);
    const Session session = options_.device.empty()
                                ? open_session(options_.store, Access::read, &listener_)
                                : open_preview_session(options_.store);
    if (options_.measures() && !rig_) open_rig_of(options_.rig.rig);
    if (rig_ && query_.profile.empty() && query_.device.empty())
      query_.profile = rig_->device().fingerprint;
    const Workload once{1, options_.confidence};
    Diff diff = options_.refine
                    ? session.refine_diff(before, after, query_, once, {*rig_, options_.rig.rig})
                    : session.diff(before, after, query_, once);
    listener_.finish();
    require_covered(before.name, diff.before);
    require_covered(after.name, diff.after);
    if (!diff.related && !options_.unrelated)
      throw Error(ErrorCode::usage,
                  fmt::format("{} and {} have nothing in common, neither a part nor an operation: "
                              "their difference is not that of a change; `ampere estimate {} {}{}` "
                              "estimates each, and --unrelated compares them all the same",
                              before.name, after.name, before.name, after.name,
                              options_.device.empty() ? "" : " --device " + options_.device));
    DiffReport report{plain_text(before.name), plain_text(after.name), std::move(diff), {}, {}};
    report.limits = judge_limits(report.diff, limits_);
    if (options_.check)
      report.checked =
          session.check(before, after, report.diff, query_, options_.measuring.precision(kCheck),
                        options_.rounds, {*rig_, options_.rig.rig});
    print(report);
    return std::ranges::any_of(report.limits, &JudgedLimit::exceeded);
  }

  static DiffLimit parse_limit(const std::string& text) try {
    return parse_diff_limit(text);
  } catch (const Error& error) {
    throw error.saying(fmt::format("--fail-above: {}", error.what()));
  }

  // A file that is there is meant before a revision is.
  DiffSide open(const std::string& text, const std::vector<std::string>& own) {
    std::string path = text;
    std::error_code none;
    if (!std::filesystem::exists(text, none))
      if (const auto revision = find_revision_path(text)) path = files_.copy(*revision);
    if (is_script(path)) return trace(path, text, own);
    if (!own.empty())
      throw Error(
          ErrorCode::usage,
          fmt::format("{}: is no script that takes arguments; leave {} out", text, own.front()));
    ModelSource source = options_.source;
    source.shown_as = text;
    EstimateSubject subject = open_subject(path, source);
    if (subject.program() != nullptr && !options_.setup_option.empty())
      throw Error(ErrorCode::usage,
                  fmt::format("{}: is one traced iteration, whose setup is fixed; leave {} out",
                              text, options_.setup_option));
    if (options_.check && subject.program() != nullptr)
      throw Error(ErrorCode::usage,
                  fmt::format("{}: is one traced iteration, which nothing can be trained from; "
                              "--check needs the network or the script",
                              text));
    return {text, std::move(subject.what)};
  }

  // Where nothing is measured, each script is traced by an interpreter of its own: both may change
  // libraries, and it takes only some seconds.
  DiffSide trace(const std::string& path, const std::string& text,
                 const std::vector<std::string>& own) {
    refuse_setup_option(options_.setup_option);
    const auto script = script_argument(path, own_arguments(options_.arguments, own));
    if (!rig_ || !options_.measures()) open_rig_of(torch_rig_of(options_.rig.rig));
    TraceRequest request;
    request.step = *script;
    Trace traced = rig_->trace(request);
    for (const std::string& note : traced.notes)
      fmt::print(stderr, "ampere: note: {}: {}\n", text, plain_lines(note));
    const std::string name =
        own.empty() ? text : fmt::format("{} ({})", text, fmt::join(own, ", "));
    return {name, std::move(traced.program), script};
  }

  // Where nothing is measured, it does not matter which meter the rig has.
  void open_rig_of(const std::string& spec) {
    rig_.reset();  // two of them would disturb each other
    RigSelection selection = options_.rig;
    selection.rig = spec;
    const bool plain = !options_.measures() && selection.record.empty();
    rig_ = plain ? open_rig(spec, selection.options()) : selection.open();
  }

  static void require_covered(const std::string& name, const Answer& answer) {
    const Estimate& estimate = answer.estimate;
    if (estimate.energy_j_per_iteration) return;
    const std::string why =
        estimate.uncovered.empty()
            ? (estimate.warnings.empty() ? "it has no estimate" : estimate.warnings.front())
            : fmt::format("{}: {}", estimate.uncovered.front().layer,
                          estimate.uncovered.front().reason);
    throw Error(ErrorCode::unknown, fmt::format("{} is not covered: {}", name, why),
                answer.profile.general ? Remedy::none : Remedy::profile);
  }

  void print(const DiffReport& report) const {
    const DiffRows rows = options_.operations ? DiffRows::operations : DiffRows::parts;
    if (options_.operations && report.diff.operations.empty())
      throw Error(ErrorCode::usage,
                  fmt::format("--operations: the method {} knows blocks, no operations; a general "
                              "profile does (--method operations)",
                              report.diff.after.method));
    if (options_.json)
      fmt::print("{}\n", json_text(diff_json(report)));
    else if (options_.markdown)
      fmt::print("{}", diff_markdown(report, rows, options_.all));
    else
      print_diff(report, rows, options_.all);
  }

  const DiffArguments& options_;
  RevisionFiles files_;
  ProfileQuery query_;
  std::vector<DiffLimit> limits_;
  TerminalListener listener_;
  std::unique_ptr<Rig> rig_;  // only when a script is traced, or operations are timed
};

void diff(const DiffArguments& options, int& status) {
  check_method(options.method, Phase::iteration);
  if (!options.device.empty() && !options.profile.empty())
    throw Error(ErrorCode::usage, "--device and --profile both choose a profile; give only one");
  if (options.refine && !options.method.empty() && options.method != "operations")
    throw Error(ErrorCode::usage, "--refine is for the method operations; leave --method out");
  if (options.json && options.markdown)
    throw Error(ErrorCode::usage, "--json and --markdown are two forms of one answer; give one");
  if (Diffing(options).run()) status = kAboveTheLimit;
}

}  // namespace

void add_diff(CLI::App& app, const Settings& settings, int& status) {
  auto options = std::make_shared<DiffArguments>();
  CLI::App* command = app.add_subcommand(
      "diff",
      "Tells what a change of a network does to energy, time, memory and parameters, part by part");
  const std::string side =
      "Zoo name, path to a .onnx, .json or .program file, a training step FILE.py:FUNCTION, or one "
      "of these files at a git revision, as in main:net.json or HEAD~1:train.py:build, or in the "
      "index, :net.json";
  command->add_option("BEFORE", options->before, side)->required();
  command->add_option("AFTER", options->after, "The same, after the change")->required();
  add_onnx_options(*command, options->source);
  add_script_arguments(*command, options->arguments);
  command->add_option("--arg-before", options->arguments_before,
                      "Argument of BEFORE alone, as in heads=12; may be repeated");
  command->add_option("--arg-after", options->arguments_after,
                      "Argument of AFTER alone, as in heads=24; may be repeated");
  add_setup_options(*command, options->setup, settings);
  command
      ->add_option("--confidence", options->confidence,
                   "Probability that the interval of the difference contains it")
      ->check(CLI::Range(0.5, 0.999))
      ->capture_default_str();
  command->add_option("--fail-above", options->limits,
                      "End with status 6 when the change costs more than this: +5% is of the "
                      "energy, time=+10%, memory=0% and parameters=+1% of the others; may be "
                      "repeated");
  command->add_flag("--operations", options->operations,
                    "List operations instead of blocks or modules, where the method is operations");
  command->add_flag("--all", options->all, "List also what is the same, and small changes");
  command->add_flag("--refine", options->refine,
                    "Before comparing, ask the device of --rig: time the dearest operations of "
                    "both, measure the energy of those that matter, look at the host, and train "
                    "BEFORE for a moment (takes about half a minute)");
  CLI::Option* check =
      command->add_flag("--check", options->check,
                        "After comparing, train both in turns on the device of --rig and compare");
  command->add_option("--rounds", options->rounds, "How often --check measures each of both")
      ->check(whole_from_to(2, 1000))
      ->capture_default_str();
  add_measuring_options(*command, options->measuring, kCheck);
  for (const char* name : {"--rounds", "--measure-error", "--point-seconds"})
    command->get_option(name)->needs(check);
  command->add_flag("--unrelated", options->unrelated,
                    "Compare two networks even when they have nothing in common");
  command->add_flag("--markdown", options->markdown, "Print Markdown for a pull request");
  add_method_option(*command, options->method);
  add_profile_option(*command, options->profile);
  command->add_option("--device", options->device,
                      "Device to estimate for, by part of its name; also those that came with the "
                      "program, which need no store");
  add_rig_options(*command, options->rig, settings);
  options->rig.rig = "torch";
  command->get_option("--rig")->default_str("torch");
  add_store_option(*command, options->store, settings);
  add_json_flag(*command, options->json);
  add_wide_flag(*command);
  add_example(*command,
              "ampere diff main:net.json net.json --device h200 --batch 64 --fail-above +5%");
  command->callback([options, command, &status] {
    options->setup_option = given_setup_option(*command);
    diff(*options, status);
  });
}

}  // namespace ampere
