#include "options.h"

#include <fmt/format.h>

#include "ampere/error.h"

namespace ampere {

Setup SetupOptions::setup() const {
  constexpr std::int64_t kLargestBatch = 1 << 20;
  if (batch < 1 || batch > kLargestBatch)
    throw Error(ErrorCode::usage,
                fmt::format("--batch: {} is not between 1 and {}", batch, kLargestBatch));
  return {batch, parse_optimizer(optimizer), "fp32"};
}

void add_setup_options(CLI::App& command, SetupOptions& options, const Settings& settings) {
  options = {settings.batch, settings.optimizer};
  command.add_option("--batch", options.batch, "Samples in a batch")->capture_default_str();
  command.add_option("--optimizer", options.optimizer, "sgd (momentum 0.9) or adam")
      ->capture_default_str();
}

std::unique_ptr<Rig> RigSelection::open() const {
  std::unique_ptr<Rig> opened = open_rig(rig, {meter, runner, seed});
  return record.empty() ? std::move(opened) : make_recording_rig(std::move(opened), record);
}

void add_rig_options(CLI::App& command, RigSelection& options, const Settings& settings) {
  options.rig = settings.rig;
  options.meter = settings.meter;
  options.runner = settings.runner;
  command
      .add_option("--rig", options.rig,
                  "local, cpu, cuda:N, sim:DEVICE, recorded:FILE or cmd:COMMAND")
      ->capture_default_str();
  command.add_option("--meter", options.meter,
                     "Energy meter on the device, e.g. nvml:0 or modelled:static=5,core=12");
  command.add_option("--runner", options.runner, "Path of ampere-runner");
  command.add_option("--seed", options.seed, "Seed of simulated devices and random networks")
      ->capture_default_str();
  command.add_option("--record", options.record,
                     "Record every measurement to this file (.jsonl or .jsonl.gz)");
}

Precision PrecisionOptions::precision() const {
  if (!(relative_error > 0 && relative_error < 1))
    throw Error(ErrorCode::usage,
                fmt::format("--precision: {} is not between 0 and 1", relative_error));
  if (!(seconds > 0))
    throw Error(ErrorCode::usage, fmt::format("--point-seconds: {} is not positive", seconds));
  Precision precision;
  precision.relative_error = relative_error;
  precision.time_limit = Seconds(seconds);
  return precision;
}

void add_precision_options(CLI::App& command, PrecisionOptions& options) {
  command
      .add_option("--precision", options.relative_error,
                  "Relative standard error to reach for each network")
      ->capture_default_str();
  command.add_option("--point-seconds", options.seconds, "Longest time for measuring one network")
      ->capture_default_str();
}

void add_store_option(CLI::App& command, std::string& store, const Settings& settings) {
  store = settings.store;
  command.add_option("--store", store, "Where measurements are kept")->capture_default_str();
}

void add_json_flag(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "Machine-readable output");
}

void add_models_argument(CLI::App& command, std::vector<std::string>& models) {
  command.add_option(
      "MODEL", models,
      "Zoo name (cnn5, cnn5:8,16,32,64, transformer:layers=2) or a .json model file");
}

void add_example(CLI::App& command, const std::string& example) {
  command.footer("Example:\n  " + example);
}

}  // namespace ampere
