// What an estimate is asked for: how long a training, and in which terms.
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
void add_conversion_options(CLI::App& command, ConversionOptions& options,
                            const Settings& settings);

void add_method_option(CLI::App& command, std::string& method);
void check_method(const std::string& method);  // throws Error(usage); none is fine

void add_profile_option(CLI::App& command, std::string& profile);

}  // namespace ampere
