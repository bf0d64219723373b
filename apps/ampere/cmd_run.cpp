#include <fmt/format.h>

#include "ampere/error.h"
#include "base/json_text.h"
#include "base/text.h"
#include "commands.h"
#include "front_door.h"
#include "options.h"
#include "print.h"
#include "ranges.h"
#include "record/record_json.h"

namespace ampere {
namespace {

struct Options {
  std::string model, store;
  ModelSource source;
  SetupOptions setup;
  RigSelection rig;
  MeasuringOptions measuring;
  std::int64_t iterations = 0;
  bool json = false, no_learning = false;
};

void run(const Options& options) {
  if (options.iterations < 0)
    throw Error(ErrorCode::usage,
                fmt::format("--iterations: {} is not a positive number", options.iterations));
  const Model model = options.source.open(options.model);
  Session session = open_session(options.store, Access::write);
  const auto rig = options.rig.open();
  Precision precision = options.measuring.precision();
  precision.min_iterations = options.iterations;
  const Measurement measured =
      session.run(model, options.setup.setup(), precision, {*rig, options.rig.rig},
                  options.no_learning ? Learning::no : Learning::yes);

  std::int64_t trained = 0;
  for (const Window& window : measured.windows) trained += window.iterations;
  const auto iterations =
      static_cast<double>(options.iterations > 0 ? options.iterations : trained);
  if (options.json) {
    fmt::print("{}\n", json_text(Json{{"model", model.name()},
                                      {"batch", options.setup.batch},
                                      {"device", device_brief_json(rig->device())},
                                      {"iterations", static_cast<std::int64_t>(iterations)},
                                      {"energy_j", measured.energy_j.mean * iterations},
                                      {"time_s", measured.time_s.mean * iterations},
                                      {"measurement", measurement_json(measured)}}));
    return;
  }
  fmt::print("{}: {} on {} ({}), {} windows, {} iterations trained\n", model.name(),
             to_string(options.setup.setup()), rig->device().name, to_string(measured.source),
             measured.windows.size(), trained);
  const auto line = [&](const char* name, const Quantity& statistic, const char* unit) {
    fmt::print("{:<8}{} for {:.0f} iterations   {} ± {} per iteration\n", name,
               with_unit(statistic.mean * iterations, unit), iterations,
               with_unit(statistic.mean, unit),
               statistic.stddev ? with_unit(*statistic.stddev, unit) : "unknown");
  };
  line("energy", measured.energy_j, "J");
  line("time", measured.time_s, "s");
  for (const std::string& note : measured.notes) fmt::print("note: {}\n", note);
}

}  // namespace

void add_run(CLI::App& app, const Settings& settings) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "run", "Trains a network on a rig and measures its energy and time: the ground truth");
  add_model_argument(*command, options->model);
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
  add_json_flag(*command, options->json);
  add_example(*command, "ampere run lenet5 --iterations 1000 --rig cpu");
  command->callback([options] { run(*options); });
}

}  // namespace ampere
