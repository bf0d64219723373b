#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "commands.h"
#include "export_options.h"
#include "front_door.h"
#include "options.h"
#include "ranges.h"
#include "rig/rig_spec.h"
#include "run_output.h"
#include "script_argument.h"

namespace ampere {
namespace {

struct RunArguments {
  std::string model, store;
  std::vector<std::string> arguments;  // of a script
  ModelSource source;
  SetupOptions setup;
  RigSelection rig;
  MeasuringOptions measuring;
  std::int64_t iterations = 0;
  bool json = false, no_learning = false;
  ExportOptions exports;
  double carbon = 0;
};

RunResult run_model(const RunArguments& options, Rig& rig, const Precision& precision) {
  const Model model = options.source.open(options.model);
  const Setup setup = options.setup.setup();
  Session session = open_session(options.store, Access::write);
  return {{model.name(), setup.batch, to_string(setup)},
          session.run(model, setup, precision, {rig, options.rig.rig},
                      options.no_learning ? Learning::no : Learning::yes)};
}

// The data loader is in the main figures, because it is part of what training costs.
RunResult run_script(Script script, Rig& rig, const Precision& precision) {
  script.data = true;
  ScriptMeasurement whole = rig.measure(script, precision);
  const ScriptInfo& info = whole.script;
  RunResult result{
      {info.name, info.batch,
       info.batch ? fmt::format("a step of its own, batch {}", *info.batch) : "a step of its own"},
      std::move(whole.measurement)};
  std::ranges::copy(info.notes, std::back_inserter(result.measured.notes));
  if (!info.has_data) return result;
  script.data = false;
  result.without_data = rig.measure(script, precision).measurement;
  return result;
}

void run(const RunArguments& options, const CLI::App& command) {
  options.exports.check(options.carbon);
  const auto script = script_argument(options.model, options.arguments);
  RigSelection selection = options.rig;
  if (script) {
    refuse_setup_options(command);
    selection.rig = torch_rig_of(selection.rig);  // a script trains in Python
  }
  const auto rig = selection.open();
  Precision precision = options.measuring.precision();
  precision.min_iterations = options.iterations;
  const RunResult result =
      script ? run_script(*script, *rig, precision) : run_model(options, *rig, precision);
  (options.json ? print_run_json : print_run)(result, rig->device(), options.iterations);
  options.exports.write(footprint_of(result, rig->device(), options.iterations), options.carbon);
}

}  // namespace

void add_run(CLI::App& app, const Settings& settings) {
  auto options = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand(
      "run", "Trains a network on a rig and measures its energy and time: the ground truth");
  add_step_argument(*command, options->model, options->arguments);
  add_onnx_options(*command, options->source);
  command
      ->add_option(
          "--iterations", options->iterations,
          "Train at least this many iterations (default: until the measurement is precise)")
      ->check(whole_from_to(1, kMostIterations));
  add_setup_options(*command, options->setup, settings);
  add_rig_options(*command, options->rig, settings);
  add_measuring_options(*command, options->measuring);
  add_steady_option(*command, options->measuring, options->rig);
  add_store_option(*command, options->store, settings);
  command->add_flag("--no-learning", options->no_learning,
                    "Do not use the measurement for later estimates");
  options->exports.add_to(*command);
  add_carbon_option(*command, options->carbon, settings);
  add_json_flag(*command, options->json);
  add_example(*command, "ampere run lenet5 --iterations 1000 --rig cpu");
  command->callback([options, command] { run(*options, *command); });
}

}  // namespace ampere
