#include "estimate_options.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "ampere/session.h"
#include "base/amounts.h"
#include "ranges.h"

namespace ampere {

Workload WorkloadOptions::workload(std::int64_t batch) const {
  if (!(confidence > 0 && confidence < 1))
    throw Error(ErrorCode::usage,
                fmt::format("--confidence: {} must be above 0 and below 1", confidence));
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
  command.add_option("--iterations", options.iterations, "Number of iterations (default: 1)")
      ->check(whole_from_to(1, kMostIterations));
  command
      .add_option("--epochs", options.epochs,
                  "Number of epochs; together with --samples, instead of --iterations")
      ->check(whole_from_to(1, kMostEpochs));
  command.add_option("--samples", options.samples, "Number of samples in the training set")
      ->check(whole_from_to(1, kMostIterations));
  command.add_option("--confidence", options.confidence, "Probability that the interval holds")
      ->check(share())
      ->capture_default_str();
}

Conversions ConversionOptions::conversions() const {
  Conversions result;
  if (carbon < 0 || price < 0)
    throw Error(ErrorCode::usage, "--carbon and --price must not be negative");
  if (!battery.empty()) result.battery_j = parse_battery(battery, "--battery").value;
  if (carbon > 0) result.carbon_g_per_kwh = carbon;
  if (price > 0) result.price_per_kwh = price;
  return result;
}

void add_carbon_and_price(CLI::App& command, double& carbon, double& price,
                          const Settings& settings) {
  carbon = settings.carbon_g_per_kwh;
  price = settings.price_per_kwh;
  command
      .add_option("--carbon", carbon, "Also show the emitted carbon dioxide, at this many g/kWh")
      ->check(number_from_to(0, 1e9));
  command.add_option("--price", price, "Also show the price, at this price per kWh")
      ->check(number_from_to(0, 1e9));
}

void add_conversion_options(CLI::App& command, ConversionOptions& options,
                            const Settings& settings) {
  command.add_option("--battery", options.battery,
                     "Also show the share of this battery, as in 4500mAh@3.85V or 50Wh");
  add_carbon_and_price(command, options.carbon, options.price, settings);
}

void add_method_option(CLI::App& command, std::string& method) {
  command.add_option(
      "--method", method,
      "Method to estimate by: dual is our own, operations is for any network with a general "
      "profile, "
      "ampere the published one, flops and others are baselines (default: the best one that the "
      "profile supports)");
}

void check_method(const std::string& method, Phase phase) try {
  if (!method.empty()) require_method(method, phase);
} catch (const Error& error) {
  throw error.saying(fmt::format("--method: {}", error.what()));
}

void add_profile_option(CLI::App& command, std::string& profile) {
  command.add_option("--profile", profile,
                     "Profile to use, by its id, fingerprint or part of the device's name "
                     "(default: the latest that fits)");
}

void add_mode_option(CLI::App& command, std::string& mode, const std::string& about,
                     const std::vector<std::string>& modes) {
  command.add_option("--mode", mode, about)->check(CLI::IsMember(modes))->capture_default_str();
}

}  // namespace ampere
