#include <fmt/format.h>

#include <filesystem>

#include "ampere/error.h"
#include "ampere/program.h"
#include "base/json_text.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "commands.h"
#include "options.h"
#include "print.h"
#include "program/summary.h"
#include "rig/rig_spec.h"
#include "script_argument.h"

namespace ampere {
namespace {

constexpr std::string_view kEnding = ".program";

struct TraceArguments {
  std::string model, way, output;
  std::vector<std::string> arguments;  // of a script
  ModelSource source;
  SetupOptions setup;
  RigSelection rig;
  bool json = false;
};

// In the current folder, named after the model or the script: "cnn5.program" for cnn5:8,16,32,64.
std::string default_output(const std::string& model) {
  const std::string name = std::filesystem::path(model).filename().string();
  const std::string stem = std::filesystem::path(name.substr(0, name.find(':'))).stem().string();
  return stem + std::string(kEnding);
}

std::string output_of(const TraceArguments& options) {
  if (options.output.empty()) return default_output(options.model);
  if (!options.output.ends_with(kEnding))
    throw Error(ErrorCode::usage,
                fmt::format("--output: '{}' does not end in {}", options.output, kEnding));
  return options.output;
}

TraceRequest request_of(const TraceArguments& options, const CLI::App& command) {
  TraceRequest request;
  if (auto script = script_argument(options.model, options.arguments)) {
    refuse_setup_options(command);
    request.step = std::move(*script);
  } else {
    request.step = TraceRequest::Network{options.source.open(options.model), options.setup.setup()};
  }
  if (!options.way.empty()) request.way = options.way == "run" ? TraceWay::run : TraceWay::fake;
  return request;
}

void print_trace(const Trace& trace, const std::string& path) {
  const ProgramSummary summary = summarize(trace.program);
  fmt::print("{}: {} of {}, {} FLOPs and {} moved per iteration\n", path,
             counted(summary.total.steps, "step"),
             counted(std::ssize(summary.operations), "distinct operation"),
             large_count(summary.total.flops), with_unit(summary.total.bytes, "B"));
  for (const std::string& note : trace.notes) fmt::print("note: {}\n", note);
}

void print_trace_json(const Trace& trace, const std::string& path) {
  const ProgramSummary summary = summarize(trace.program);
  const Json document{{"file", path},
                      {"name", trace.program.name},
                      {"hash", program_hash(trace.program)},
                      {"way", to_string(trace.program.origin.way)},
                      {"steps", summary.total.steps},
                      {"distinct", summary.operations.size()},
                      {"flops", summary.total.flops},
                      {"bytes", summary.total.bytes},
                      {"notes", trace.notes}};
  fmt::print("{}\n", json_text(document, 2));
}

void trace(const TraceArguments& options, const CLI::App& command) {
  const std::string path = output_of(options);
  const TraceRequest request = request_of(options, command);
  check_whole_file(path);
  // Nothing is measured, so it does not matter which meter the rig has.
  const auto rig = open_rig(torch_rig_of(options.rig.rig), options.rig.options());
  const Trace traced = rig->trace(request);
  save_program(path, traced.program);
  (options.json ? print_trace_json : print_trace)(traced, path);
}

}  // namespace

void add_trace(CLI::App& app, const Settings& settings) {
  auto options = std::make_shared<TraceArguments>();
  CLI::App* command = app.add_subcommand(
      "trace",
      "Writes down one iteration as PyTorch executes it, operation by operation, to a file");
  add_step_argument(*command, options->model, options->arguments);
  add_onnx_options(*command, options->source, OutputIsFile::yes);
  add_setup_options(*command, options->setup, settings);
  add_tracing_rig_options(*command, options->rig, settings);
  command
      ->add_option("--way", options->way,
                   "fake: run the code with tensors that have no numbers; run: run it once "
                   "(default: fake where that works)")
      ->check(CLI::IsMember({"fake", "run"}));
  command->add_option("-o,--output", options->output,
                      "File to write, NAME.program (default: named after the model or script, in "
                      "the current folder)");
  add_json_flag(*command, options->json);
  add_example(*command,
              "ampere trace resnet18 --batch 64 --precision bf16\n  ampere trace train.py:build "
              "--arg batch=128 -o mine.program");
  command->callback([options, command] { trace(*options, *command); });
}

}  // namespace ampere
