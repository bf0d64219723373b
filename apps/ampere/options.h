// The options that several verbs share. Each has one name, one meaning and one help text here.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ampere/onnx.h"
#include "ampere/rig.h"
#include "ampere/store.h"
#include "settings.h"

namespace ampere {

// Accepts `old_name` as well, without showing it in the help. Giving both names is a usage error.
// The command owns the option that is returned, which takes values as `option` does.
CLI::Option* add_hidden_alias(CLI::App& command, CLI::Option* option, const std::string& old_name);

// The number format of verbs that know only one: kernels and scores of inference are in fp32.
void add_fp32_option(CLI::App& command, std::string& format);

struct SetupOptions {
  std::int64_t batch = 0;
  std::string optimizer;
  std::string precision = "fp32";  // the number format
  std::string attention = "fused";
  StepOptions step;
  Setup setup() const;      // throws Error(usage)
  Setup inference() const;  // the same for inference, which has no optimizer
};
void add_setup_options(CLI::App& command, SetupOptions& options, const Settings& settings);

struct RigSelection {
  std::string rig, meter, runner, python, record;
  int seed = 0;
  std::optional<double> step_timeout_s;
  bool steady = false;  // threads stay on their processors
  RigOptions options() const;
  // Warns on standard error where joules are modelled. Throws what open_rig() throws.
  std::unique_ptr<Rig> open() const;
};
void add_rig_options(CLI::App& command, RigSelection& options, const Settings& settings);
// Those that matter where nothing is measured. The rig is "torch" unless another one is named.
void add_tracing_rig_options(CLI::App& command, RigSelection& options, const Settings& settings);

// How precisely each network is measured; what is not given is the method's own choice.
struct MeasuringOptions {
  std::optional<double> relative_error;  // standard error over the mean
  std::optional<double> point_seconds;
  bool steady = false;  // for a machine that others use
  // `otherwise` with what was given. Throws Error(usage).
  Precision precision(Precision otherwise = {}) const;
};
// `defaults` are what the help shows. `dual_limit` is the time limit per network of a dual profile,
// for the verbs that can take one.
// Those of verbs that open a rig add --steady to both.
void add_steady_option(CLI::App& command, MeasuringOptions& measuring, RigSelection& rig);
void add_measuring_options(CLI::App& command, MeasuringOptions& options,
                           const Precision& defaults = {},
                           std::optional<Seconds> dual_limit = std::nullopt);

// How a MODEL is opened: what an ONNX file does not say itself. Notes of the import go to standard
// error.
struct ModelSource {
  std::vector<std::string> shapes;
  std::string output;
  std::string shown_as = {};  // in notes, where the user wrote something else than the path
  OnnxOptions onnx() const;   // throws Error(usage)
  Model open(const std::string& spec) const;
};

// The nine whole networks that DeepEn2023 measures, at original widths.
const std::vector<std::string>& reference_networks();

// Where --output is a file that the verb writes, it cannot be the older name of --onnx-output.
enum class OutputIsFile { no, yes };
void add_onnx_options(CLI::App& command, ModelSource& source,
                      OutputIsFile output = OutputIsFile::no);

// For the verbs that write several files, under names of their own. The older name is --out.
void add_output_folder_option(CLI::App& command, std::string& folder, const std::string& holds);

// Seconds; 0 for no limit. `unit` is what is not begun any more: "point", "kernel".
void add_time_limit_option(CLI::App& command, double& seconds, const std::string& unit);

void add_store_option(CLI::App& command, std::string& store, const Settings& settings);
void add_json_flag(CLI::App& command, bool& json);
void add_wide_flag(CLI::App& command);  // of verbs whose tables may be wider than a terminal
const char* model_help();               // what a MODEL may be
void add_model_argument(CLI::App& command, std::string& model);  // required
void add_models_argument(CLI::App& command, std::vector<std::string>& models);
void add_example(CLI::App& command, const std::string& example);

}  // namespace ampere
