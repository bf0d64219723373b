// What `ampere plan` is asked for: by options, by a file, or by both.
#pragma once

#include "ampere/session.h"
#include "estimate_options.h"
#include "options.h"

namespace ampere {

struct PlanArguments {
  std::string file;  // TOML; options override it
  std::string model;
  std::vector<std::string> arguments;
  ModelSource source;
  SetupOptions setup;
  std::string setup_option;  // the first one that was given, or empty
  std::int64_t samples = 0, epochs = 0;
  double confidence = 0.9;

  std::int64_t validation_samples = 0;
  std::string validate_every = "1epoch", checkpoint_every;
  double validation_share = RunTask{}.validation_share, trial_share = 1;
  std::string checkpoint_time = "10s", data_wait, warm_up, compile_time, waiting_power;
  std::int64_t trials = 0;

  double carbon = 0, price = 0;
  std::string carbon_forecast, price_forecast, deadline, start = "earliest";

  std::string profile, device, method, store;
  RigSelection rig;
  bool rig_given = false;
  bool json = false;
};

void add_plan_options(CLI::App& command, PlanArguments& options, const Settings& settings);

// Gives the values of the file to all options that the command line does not have. Throws
// Error(usage) that names the file and the key for an unknown key or a value that the option does
// not take.
void apply_file(CLI::App& command, const std::string& path);

// Throws Error(usage) that names the option.
RunTask run_task(const PlanArguments& options);

}  // namespace ampere
