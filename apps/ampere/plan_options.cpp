#include "plan_options.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "base/amounts.h"
#include "base/json.h"
#include "base/text.h"
#include "estimate_options.h"
#include "ranges.h"
#include "script_argument.h"
#include "toml_file.h"

namespace ampere {
namespace {

// "2epochs", "1epoch", "500iterations", "500": a bare number counts iterations.
Every every_of(const std::string& text, const char* option) {
  std::string_view number = trim(text);
  Every every{1, false};
  for (const auto& [word, epochs] : {std::pair<std::string_view, bool>{"epochs", true},
                                     {"epoch", true},
                                     {"iterations", false},
                                     {"iteration", false}})
    if (number.ends_with(word)) {
      number = trim(number.substr(0, number.size() - word.size()));
      every.epochs = epochs;
      break;
    }
  const std::string digits(number);
  if (!whole_from_to(1, kMostIterations)(digits).empty())
    throw Error(ErrorCode::usage,
                fmt::format("{}: '{}' is not like 1epoch, 2epochs or 500iterations", option, text));
  every.count = parse_integer(digits, option);
  return every;
}

Seconds wait_of(const std::string& text, const char* option) {
  return text.empty() || text == "0" || text == "0s" ? Seconds(0) : parse_time_span(text, option);
}

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

CLI::Option* option_of(CLI::App& command, const std::string& key) {
  std::string name = key;
  std::ranges::replace(name, '_', '-');
  if (key == "model") return command.get_option_no_throw("MODEL");
  return command.get_option_no_throw("--" + name);
}

std::vector<std::string> known_keys(const CLI::App& command) {
  std::vector<std::string> keys{"model"};
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_lnames().empty() || option->get_group().empty()) continue;
    std::string key = option->get_lnames().front();
    std::ranges::replace(key, '-', '_');
    if (key != "help" && key != "from") keys.push_back(key);
  }
  return keys;
}

void add_stage_options(CLI::App& command, PlanArguments& options) {
  command
      .add_option("--validation-samples", options.validation_samples,
                  "Samples of the validation set (default: no validation)")
      ->check(whole_from_to(1, kMostIterations));
  command
      .add_option("--validate-every", options.validate_every,
                  "How often to validate, as in 1epoch or 500iterations")
      ->capture_default_str();
  command
      .add_option("--validation-share", options.validation_share,
                  "Assumed cost of a sample in validation, of its cost in training (default: a "
                  "third, one forward pass)")
      ->check(number_above_to(0, 1));
  command.add_option("--checkpoint-every", options.checkpoint_every,
                     "How often to write a checkpoint, as in 1epoch (default: never)");
  command
      .add_option("--checkpoint-time", options.checkpoint_time,
                  "Assumed time of one checkpoint, during which the device waits")
      ->capture_default_str();
  command.add_option("--data-wait", options.data_wait,
                     "Assumed time per iteration that the device waits for data, as in 5ms");
  command.add_option("--warm-up", options.warm_up,
                     "Assumed time before the first iteration of a run, as in 30s");
  command.add_option("--compile-time", options.compile_time,
                     "Assumed time of compiling, per run, as in 2min");
  command.add_option("--waiting-power", options.waiting_power,
                     "Assumed power of the device while it waits, as in 100W (default: what the "
                     "profile says, where it does)");
  command
      .add_option("--trials", options.trials,
                  "Trials of a search for hyper-parameters before the run, one after the other")
      ->check(whole_from_to(1, kMostCount));
  command
      .add_option("--trial-share", options.trial_share, "Share of the epochs that each trial takes")
      ->check(number_above_to(0, 1))
      ->capture_default_str();
}

void add_value_options(CLI::App& command, PlanArguments& options, const Settings& settings) {
  add_carbon_and_price(command, options.carbon, options.price, settings);
  command.add_option("--carbon-forecast", options.carbon_forecast,
                     "CSV file with the carbon dioxide per kWh over time, instead of --carbon");
  command.add_option("--price-forecast", options.price_forecast,
                     "CSV file with the price per kWh over time, instead of --price");
  command.add_option("--deadline", options.deadline,
                     "When the run must have ended: from now, as in 3d, or in UTC, as in "
                     "2026-01-31T12:00:00Z");
  command
      .add_option("--start", options.start,
                  "When to start inside the deadline: earliest, or in the cleanest or cheapest "
                  "hours of the forecast")
      ->check(CLI::IsMember({"earliest", "cleanest", "cheapest"}))
      ->capture_default_str();
}

}  // namespace

void add_plan_options(CLI::App& command, PlanArguments& options, const Settings& settings) {
  options.confidence = settings.confidence;
  command.add_option("MODEL", options.model,
                     "Zoo name, path to a .onnx or .json model file or to a traced .program, or a "
                     "training step of your own, FILE.py:FUNCTION");
  command.add_option("--from", options.file,
                     "TOML file with the values of these options, written with _ for -, and model; "
                     "options override it");
  add_onnx_options(command, options.source);
  add_script_arguments(command, options.arguments);
  add_setup_options(command, options.setup, settings);
  command.add_option("--samples", options.samples, "Number of samples in the training set")
      ->check(whole_from_to(1, kMostIterations));
  command.add_option("--epochs", options.epochs, "Number of epochs")
      ->check(whole_from_to(1, kMostEpochs));
  add_stage_options(command, options);
  add_value_options(command, options, settings);
  command.add_option("--confidence", options.confidence, "Probability that the interval holds")
      ->check(share())
      ->capture_default_str();
  add_method_option(command, options.method);
  add_profile_option(command, options.profile);
  command.add_option("--device", options.device,
                     "Device to estimate for, by part of its name; also those that came with the "
                     "program, which need no store");
  add_tracing_rig_options(command, options.rig, settings);
  add_store_option(command, options.store, settings);
  add_json_flag(command, options.json);
}

void apply_file(CLI::App& command, const std::string& path) {
  const Json document = load_toml(path);
  const std::vector<std::string> keys = known_keys(command);
  for (const auto& [key, value] : document.items()) {
    const std::string where = fmt::format("{}: {}", path, key);
    if (std::ranges::find(keys, key) == keys.end())
      throw Error(ErrorCode::usage, fmt::format("{} is not known{}", where, suggestion(key, keys)));
    CLI::Option* option = option_of(command, key);
    if (option->count() > 0) continue;  // the command line overrides the file
    std::vector<std::string> texts;
    if (value.is_array())
      for (const Json& each : value) texts.push_back(text_of(each));
    else
      texts.push_back(text_of(value));
    if (texts.empty()) throw Error(ErrorCode::usage, where + " is an empty list");
    try {
      option->add_result(texts);
      option->run_callback();
    } catch (const CLI::Error& error) {
      throw Error(ErrorCode::usage, fmt::format("{}: {}", path, error.what()));
    }
  }
}

RunTask run_task(const PlanArguments& options) {
  RunTask task;
  if (options.samples < 1 || options.epochs < 1)
    throw Error(ErrorCode::usage,
                "how long is the run? Give --epochs and --samples, the samples of the training "
                "set, or a file with both (--from)");
  task.samples = options.samples;
  task.epochs = options.epochs;
  task.confidence = options.confidence;
  task.validation_samples = options.validation_samples;
  task.validate = every_of(options.validate_every, "--validate-every");
  task.validation_share = options.validation_share;
  if (!options.checkpoint_every.empty())
    task.checkpoints = every_of(options.checkpoint_every, "--checkpoint-every");
  task.checkpoint_time = wait_of(options.checkpoint_time, "--checkpoint-time");
  task.loading = wait_of(options.data_wait, "--data-wait");
  task.warm_up = wait_of(options.warm_up, "--warm-up");
  task.compiling = wait_of(options.compile_time, "--compile-time");
  task.trials = options.trials;
  task.trial_share = options.trial_share;
  if (!options.waiting_power.empty())
    task.waiting_power = parse_power(options.waiting_power, "--waiting-power");
  return task;
}

}  // namespace ampere
