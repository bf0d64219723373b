// The subcommands of `ampere report`, one per function. `words` is the command line as typed.
#pragma once

#include "options.h"
#include "report_output.h"

namespace ampere {

void add_estimate_report(CLI::App& report, const Settings& settings, const std::string& words);
void add_choose_report(CLI::App& report, const Settings& settings, const std::string& words);
void add_generation_report(CLI::App& report, const Settings& settings, const std::string& words);
void add_profile_report(CLI::App& report, const Settings& settings, const std::string& words);
void add_evaluate_report(CLI::App& report, const Settings& settings, const std::string& words);
void add_prune_report(CLI::App& report, const Settings& settings, const std::string& words);

}  // namespace ampere
