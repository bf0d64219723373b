#include "estimate_options.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "method/registry.h"

namespace ampere {

Workload WorkloadOptions::workload(std::int64_t batch) const {
  if (!(confidence > 0 && confidence < 1))
    throw Error(ErrorCode::usage,
                fmt::format("--confidence: {} is not between 0 and 1", confidence));
  if (iterations < 0 || epochs < 0 || samples < 0)
    throw Error(ErrorCode::usage, "--iterations, --epochs and --samples must be positive");
  if ((epochs > 0) != (samples > 0))
    throw Error(ErrorCode::usage, "--epochs and --samples go together");
  if (epochs > 0 && iterations > 0)
    throw Error(ErrorCode::usage, "give --iterations, or --epochs with --samples, not both");
  if (epochs > 0) return {epochs * ((samples + batch - 1) / batch), confidence};
  return {iterations > 0 ? iterations : 1, confidence};
}

void add_workload_options(CLI::App& command, WorkloadOptions& options, const Settings& settings) {
  options.confidence = settings.confidence;
  command.add_option("--iterations", options.iterations, "Training iterations; 1 without it");
  command.add_option("--epochs", options.epochs,
                     "Instead of --iterations, together with --samples");
  command.add_option("--samples", options.samples, "Samples in the training set");
  command.add_option("--confidence", options.confidence, "Of the interval")->capture_default_str();
}

Conversions ConversionOptions::conversions() const {
  Conversions wished;
  if (carbon < 0 || price < 0)
    throw Error(ErrorCode::usage, "--carbon and --price must not be negative");
  if (!battery.empty()) wished.battery_j = parse_battery(battery);
  if (carbon > 0) wished.carbon_g_per_kwh = carbon;
  if (price > 0) wished.price_per_kwh = price;
  return wished;
}

void add_conversion_options(CLI::App& command, ConversionOptions& options,
                            const Settings& settings) {
  options.carbon = settings.carbon_g_per_kwh;
  options.price = settings.price_per_kwh;
  command.add_option("--battery", options.battery,
                     "Show the share of a battery: 4500mAh@3.85V, 50Wh");
  command.add_option("--carbon", options.carbon, "Show the carbon, at this many g/kWh");
  command.add_option("--price", options.price, "Show the price, at this much per kWh");
}

void add_method_option(CLI::App& command, std::string& method) {
  command.add_option(
      "--method", method,
      "Estimator: dual is ours, ampere the published method, flops, … the baselines; "
      "without it the best the profile has");
}

void check_method(const std::string& method) try {
  if (!method.empty()) find_method(method);
} catch (const Error& error) {
  throw Error(error.code(), fmt::format("--method: {}", error.what()));
}

void add_profile_option(CLI::App& command, std::string& profile) {
  command.add_option("--profile", profile,
                     "Id, fingerprint or part of the device's name; without it the latest");
}

}  // namespace ampere
