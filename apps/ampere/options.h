// Options that several verbs share.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "ampere/onnx.h"
#include "ampere/rig.h"
#include "ampere/store.h"
#include "settings.h"

namespace ampere {

struct SetupOptions {
  std::int64_t batch;
  std::string optimizer;
  Setup setup() const;  // throws Error(usage)
};
void add_setup_options(CLI::App& command, SetupOptions& options, const Settings& settings);

struct RigSelection {
  std::string rig, meter, runner, record;
  int seed = 0;
  std::unique_ptr<Rig> open() const;
};
void add_rig_options(CLI::App& command, RigSelection& options, const Settings& settings);

struct PrecisionOptions {
  double relative_error = Precision{}.relative_error;
  double seconds = Precision{}.time_limit.count();
  Precision precision() const;
};
void add_precision_options(CLI::App& command, PrecisionOptions& options);

// How a MODEL is opened: what an ONNX file leaves open. What its import has to say goes to standard
// error.
struct ModelSource {
  std::vector<std::string> shapes;
  std::string output;
  OnnxOptions onnx() const;  // throws Error(usage)
  Model open(const std::string& spec) const;
};
void add_onnx_options(CLI::App& command, ModelSource& source,
                      const std::string& output = "--output");

void add_store_option(CLI::App& command, std::string& store, const Settings& settings);
void add_json_flag(CLI::App& command, bool& json);
void add_models_argument(CLI::App& command, std::vector<std::string>& models);
void add_example(CLI::App& command, const std::string& example);

}  // namespace ampere
