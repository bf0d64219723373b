// Options of an estimate: how long the training is, and in which terms the answer is given.
#pragma once

#include "estimate_output.h"
#include "options.h"

namespace ampere {

struct WorkloadOptions {
  std::int64_t iterations = 0, epochs = 0, samples = 0;
  double confidence = 0.9;
  Workload workload(std::int64_t batch) const;  // throws Error(usage)
};
void add_workload_options(CLI::App& command, WorkloadOptions& options, const Settings& settings);

struct ConversionOptions {
  std::string battery;
  double carbon = 0, price = 0;
  Conversions conversions() const;  // throws Error(usage)
};
void add_carbon_and_price(CLI::App& command, double& carbon, double& price,
                          const Settings& settings);
void add_conversion_options(CLI::App& command, ConversionOptions& options,
                            const Settings& settings);

void add_method_option(CLI::App& command, std::string& method);
// Throws Error(usage) that names the option for an unknown method; an empty name is fine.
void check_method(const std::string& method, Phase phase = Phase::iteration);

// `about` begins the help text.
void add_mode_option(CLI::App& command, std::string& mode, const std::string& about,
                     const std::vector<std::string>& modes = {"training", "inference"});

void add_profile_option(CLI::App& command, std::string& profile);

}  // namespace ampere
