#include "options.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "base/text.h"

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
  const DeviceInfo& device = opened->device();
  if (device.source == Source::modelled && meter.empty())
    fmt::print(stderr,
               "ampere: warning: no meter measures the energy of {}: joules are modelled by {}; "
               "`ampere doctor` says why\n",
               device.name, device.meter);
  return record.empty() ? std::move(opened) : make_recording_rig(std::move(opened), record);
}

void add_rig_options(CLI::App& command, RigSelection& options, const Settings& settings) {
  options.rig = settings.rig;
  options.meter = settings.meter;
  options.runner = settings.runner;
  command
      .add_option("--rig", options.rig,
                  "local, cpu, cpu:THREADS, cuda:N, sim:DEVICE, recorded:FILE or cmd:COMMAND")
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

Model ModelSource::open(const std::string& spec) const {
  if (!spec.ends_with(".onnx")) return open_model(spec);
  OnnxImport imported = import_onnx(spec, onnx());
  for (const std::string& note : imported.notes)
    fmt::print(stderr, "ampere: note: {}: {}\n", spec, note);
  return take_model(std::move(imported), spec);
}

void add_onnx_options(CLI::App& command, ModelSource& source, const std::string& output) {
  command.add_option("--shape", source.shapes,
                     "Of an ONNX file: an axis it leaves open, length=64, or a whole input, "
                     "x=1x3x224x224; may be repeated");
  command.add_option(output, source.output,
                     "Of an ONNX file with several outputs: the one that is trained");
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
      "Zoo name (cnn5, cnn5:8,16,32,64, transformer:layers=2), .onnx file or .json model file");
}

void add_example(CLI::App& command, const std::string& example) {
  command.footer("Example:\n  " + example);
}

}  // namespace ampere
