#include "options.h"

#include <fmt/format.h>

#include <limits>

#include "ampere/error.h"
#include "base/text.h"
#include "command_line.h"
#include "interrupt.h"
#include "print.h"
#include "ranges.h"
#include "remedies.h"
#include "rig/recording.h"
#include "sql/sql.h"
#include "terminal.h"

namespace ampere {
namespace {

constexpr const char* kModelHelp =
    "Zoo name, with widths or options if wanted (cnn5, cnn5:8,16,32,64, transformer:layers=2), or "
    "a path to a .onnx or .json model file";

// Gives values to an option under another name than its own.
void give(CLI::Option& option, const std::vector<std::string>& values, const std::string& name) {
  if (option.count() > 0)
    throw Error(ErrorCode::usage, fmt::format("{} is an older name of {}; give only one of them",
                                              name, option.get_name(false, true)));
  option.add_result(values);
  option.run_callback();
}

// What is wrong with the text of --rig is told with the name of the option.
std::unique_ptr<Rig> open_named(const std::string& rig, const RigOptions& options) try {
  return open_rig(rig, options);
} catch (const Error& error) {
  const std::string message = error.what();
  if (error.code() != ErrorCode::usage || !message.starts_with("rig '")) throw;
  throw error.saying("--" + message);
}

bool reads_as_number(const std::string& text) {
  double value = 0;
  return CLI::detail::lexical_cast(text, value);
}

}  // namespace

CLI::Option* add_hidden_alias(CLI::App& command, CLI::Option* option, const std::string& old_name) {
  CLI::Option* alias = command.add_option(old_name, [option, old_name](const auto& values) {
    give(*option, values, old_name);
    return true;
  });
  alias->group("")->type_size(option->get_type_size_min(), option->get_type_size_max());
  alias->expected(option->get_expected_min(), option->get_expected_max());
  return alias;
}

namespace {

// What is wrong with a number format; empty when nothing is.
std::string format_fault(const std::string& value) try {
  parse_number_format(value);
  return "";
} catch (const Error& error) {
  return error.what();
}

void add_any_number_format_option(CLI::App& command, std::string& format) {
  command
      .add_option("--precision", format,
                  "Number format: fp32 (the framework's defaults), tf32, or automatic mixed "
                  "precision in bf16 or fp16, where the rig has them")
      ->capture_default_str()
      ->check(format_fault);
}

}  // namespace

void add_fp32_option(CLI::App& command, std::string& format) {
  command.add_option("--precision", format, "Number format; only fp32 is supported here")
      ->capture_default_str()
      ->check([](const std::string& value) {
        return value == "fp32"
                   ? ""
                   : fmt::format("'{}' is not a supported number format; there is fp32", value);
      });
}

Setup SetupOptions::setup() const {
  if (batch < 1 || batch > kLargestBatch)
    throw Error(ErrorCode::usage,
                fmt::format("--batch: {} is not between 1 and {}", batch, kLargestBatch));
  if (attention != "fused" && attention != "plain")
    throw Error(ErrorCode::usage,
                fmt::format("--attention: '{}' is neither fused nor plain", attention));
  Setup setup{batch, parse_optimizer(optimizer), precision};
  setup.options = step;
  setup.options.plain_attention = attention == "plain";
  return setup;
}

Setup SetupOptions::inference() const {
  Setup whole = setup();
  Setup result = inference_setup(whole.batch);
  result.precision = whole.precision;
  result.options.plain_attention = whole.options.plain_attention;
  result.options.compiled = whole.options.compiled;
  result.options.channels_last = whole.options.channels_last;
  return result;
}

void add_setup_options(CLI::App& command, SetupOptions& options, const Settings& settings) {
  options.batch = settings.batch;
  options.optimizer = settings.optimizer;
  command.add_option("--batch", options.batch, "Samples per batch")
      ->check(whole_from_to(1, kLargestBatch))
      ->capture_default_str();
  command
      .add_option("--optimizer", options.optimizer,
                  "sgd (with momentum 0.9), plain-sgd (without), adam or adamw")
      ->capture_default_str();
  add_any_number_format_option(command, options.precision);
  StepOptions& step = options.step;
  command
      .add_option("--weight-decay", step.weight_decay,
                  "Weight decay of the optimizer (default: 0.01 for adamw, otherwise 0)")
      ->check(number_from_to(0, 1));
  command.add_flag("--fused", step.fused, "Use the fused implementation of the optimizer");
  command
      .add_option("--attention", options.attention, "fused (where the framework has it) or plain")
      ->capture_default_str();
  command.add_flag("--compile", step.compiled, "Compile the network (torch.compile)");
  command
      .add_option("--accumulate", step.accumulation,
                  "Micro-batches per optimizer step; --batch is the size of each")
      ->check(whole_from_to(1, kLargestBatch))
      ->capture_default_str();
  command.add_flag("--channels-last", step.channels_last,
                   "Keep images in channels-last order in memory");
}

RigOptions RigSelection::options() const {
  return {.meter = meter,
          .runner = runner,
          .seed = seed,
          .pin_threads = steady,
          .stop = stop_token(),
          .python = python,
          .step_timeout = step_timeout_s ? std::optional(Seconds(*step_timeout_s)) : std::nullopt};
}

std::unique_ptr<Rig> RigSelection::open() const {
  std::unique_ptr<Rig> opened = open_named(rig, options());
  const DeviceInfo& device = opened->device();
  if (device.source == Source::modelled && meter.empty())
    print_warning(
        fmt::format("no meter measures the energy of {}: joules are modelled by {}; `ampere "
                    "doctor` says why",
                    device.name, device.meter));
  return record.empty() ? std::move(opened)
                        : make_recording_rig(std::move(opened), record, command_on_a_recording());
}

namespace {

void add_worker_options(CLI::App& command, RigSelection& options, const Settings& settings) {
  options.runner = settings.runner;
  options.python = settings.python;
  command.add_option("--runner", options.runner, "Path of the ampere-runner program");
  command.add_option("--python", options.python,
                     "Python interpreter for --rig torch (default: the first one with PyTorch)");
  command
      .add_option("--step-timeout", options.step_timeout_s,
                  "For --rig torch: seconds without an answer after which training is given up "
                  "(default: 300, and 900 to build and compile)")
      ->check(number_above_to(0, kMostSeconds));
}

}  // namespace

void add_tracing_rig_options(CLI::App& command, RigSelection& options, const Settings& settings) {
  options.rig = "torch";
  command
      .add_option("--rig", options.rig,
                  "Where PyTorch is: torch or torch:DEVICE, or cmd:COMMAND; or recorded:FILE, or "
                  "sim:DEVICE, which derives programs of networks by rules")
      ->capture_default_str();
  add_worker_options(command, options, settings);
}

void add_rig_options(CLI::App& command, RigSelection& options, const Settings& settings) {
  options.rig = settings.rig;
  options.meter = settings.meter;
  command
      .add_option("--rig", options.rig,
                  "Where to measure: local (the GPU if there is one, else the CPU), cpu, "
                  "cpu:THREADS, cuda:N, torch or torch:DEVICE (your own PyTorch), sim:DEVICE, "
                  "recorded:FILE or cmd:COMMAND")
      ->capture_default_str();
  command.add_option("--meter", options.meter,
                     "Energy meter, such as nvml:0 or modelled:static=5,core=12 (default: the "
                     "best one on the device)");
  add_worker_options(command, options, settings);
  command.add_option("--seed", options.seed, "Seed of simulated devices and of random choices")
      ->check(whole_from_to(std::numeric_limits<int>::min(), std::numeric_limits<int>::max()))
      ->capture_default_str();
  command.add_option("--record", options.record,
                     "Also write every measurement to this file (.jsonl or .jsonl.gz)");
}

Precision MeasuringOptions::precision(Precision otherwise) const {
  if (relative_error && !(*relative_error > 0 && *relative_error < 1))
    throw Error(ErrorCode::usage,
                fmt::format("--measure-error: {} must be above 0 and below 1", *relative_error));
  if (point_seconds && !(*point_seconds > 0))
    throw Error(ErrorCode::usage,
                fmt::format("--point-seconds: {} is not positive", *point_seconds));
  if (relative_error) otherwise.relative_error = *relative_error;
  if (point_seconds) otherwise.time_limit = Seconds(*point_seconds);
  return steady ? steadier(otherwise) : otherwise;
}

void add_steady_option(CLI::App& command, MeasuringOptions& measuring, RigSelection& rig) {
  command.add_flag_callback(
      "--steady", [&measuring, &rig] { measuring.steady = rig.steady = true; },
      "For a machine that others use: wait for calm before each measurement, measure longer, and "
      "keep threads on their processors");
}

void add_measuring_options(CLI::App& command, MeasuringOptions& options, const Precision& defaults,
                           std::optional<Seconds> dual_limit) {
  CLI::Option* error =
      command
          .add_option("--measure-error", options.relative_error,
                      "Relative standard error at which a measurement is precise enough")
          ->default_str(fmt::format("{}", defaults.relative_error));
  command
      .add_option(
          "--point-seconds", options.point_seconds,
          fmt::format(
              "Longest time to measure one network, in seconds (default: {}{})",
              defaults.time_limit.count(),
              dual_limit ? fmt::format("; {} when profiling for dual", dual_limit->count()) : ""))
      ->check(number_above_to(0, kMostSeconds));
  // --precision was the name of --measure-error before it named the number format.
  command.get_option("--precision")->transform([error](const std::string& value) {
    if (!reads_as_number(value)) return value;
    give(*error, {value}, "--precision with a number");
    return std::string("fp32");
  });
}

OnnxOptions ModelSource::onnx() const {
  OnnxOptions options;
  options.output = output;
  for (const std::string& shape : shapes) {
    const std::size_t equals = shape.rfind('=');
    if (equals == 0 || equals == std::string::npos)
      throw Error(ErrorCode::usage,
                  fmt::format("--shape: '{}' is not NAME=LENGTH, as in length=64", shape));
    std::vector<std::int64_t>& lengths = options.shapes[shape.substr(0, equals)];
    for (const std::string& length : split(shape.substr(equals + 1), 'x'))
      lengths.push_back(parse_integer(length, "--shape " + shape.substr(0, equals)));
  }
  return options;
}

const std::vector<std::string>& reference_networks() {
  static const std::vector<std::string> names{"alexnet",      "densenet121",   "googlenet",
                                              "mobilenet_v1", "mobilenet_v2",  "proxylessnas",
                                              "resnet18",     "shufflenet_v2", "squeezenet"};
  return names;
}

Model ModelSource::open(const std::string& spec) const {
  if (!spec.ends_with(".onnx")) return open_model(spec);
  OnnxImport imported = import_onnx(spec, onnx());
  for (const OnnxNote& note : imported.notes)
    fmt::print(stderr, "ampere: note: {}: {}\n", shown_as.empty() ? spec : shown_as,
               with_remedy(note.text, note.remedy));
  return take_model(std::move(imported), spec);
}

void add_onnx_options(CLI::App& command, ModelSource& source, OutputIsFile output) {
  command.add_option("--shape", source.shapes,
                     "For an ONNX file: the length of an open axis, as in length=64, or the shape "
                     "of an input, as in x=1x3x224x224; may be repeated");
  CLI::Option* option =
      command.add_option("--onnx-output", source.output,
                         "For an ONNX file with several outputs: the output that is trained");
  if (output == OutputIsFile::no) add_hidden_alias(command, option, "--output");
}

void add_output_folder_option(CLI::App& command, std::string& folder, const std::string& holds) {
  add_hidden_alias(command, command.add_option("--output-folder", folder, "Folder for " + holds),
                   "--out");
}

void add_time_limit_option(CLI::App& command, double& seconds, const std::string& unit) {
  command
      .add_option(
          "--time-limit", seconds,
          fmt::format("Seconds after which no further {} is begun (default: 0, no limit)", unit))
      ->check(number_from_to(0, kMostSeconds));
}

void add_store_option(CLI::App& command, std::string& store, const Settings& settings) {
  store = settings.store;
  command.add_option("--store", store, "Where measurements are kept")
      ->default_str(masked_url(store));
}

void add_wide_flag(CLI::App& command) {
  command.add_flag_callback("--wide", show_everything,
                            "Print whole lines, even if they are wider than the terminal");
}

void add_json_flag(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "Print JSON instead of text");
}

const char* model_help() { return kModelHelp; }

void add_model_argument(CLI::App& command, std::string& model) {
  command.add_option("MODEL", model, kModelHelp)->required();
}

void add_models_argument(CLI::App& command, std::vector<std::string>& models) {
  command.add_option("MODEL", models, kModelHelp);
}

void add_example(CLI::App& command, const std::string& example) {
  command.footer("Example:\n  " + example);
}

}  // namespace ampere
