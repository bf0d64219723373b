// One verb per file: each adds its subcommand, whose callback does the work and throws
// ampere::Error.
#pragma once

#include <CLI/CLI.hpp>

#include "settings.h"

namespace ampere {

void add_doctor(CLI::App& app, const Settings& settings);
void add_models(CLI::App& app);
void add_show(CLI::App& app);
// `command` is what the user wrote after "--"; `status` is set to the exit status.
void add_measure(CLI::App& app, const Settings& settings, const std::vector<std::string>& command,
                 int& status);
void add_trace(CLI::App& app, const Settings& settings);
void add_run(CLI::App& app, const Settings& settings);
void add_profile(CLI::App& app, const Settings& settings);
void add_profiles(CLI::App& app, const Settings& settings);
void add_estimate(CLI::App& app, const Settings& settings);
void add_choose(CLI::App& app, const Settings& settings);
void add_plan(CLI::App& app, const Settings& settings);
// `status` is set to the exit status of a change that costs more than it may.
void add_diff(CLI::App& app, const Settings& settings, int& status);
void add_evaluate(CLI::App& app, const Settings& settings);
void add_kernels(CLI::App& app, const Settings& settings);
void add_prune(CLI::App& app, const Settings& settings);
void add_report(CLI::App& app, const Settings& settings);
void add_score(CLI::App& app, const Settings& settings);
// `status` is set to the exit status of a job that Slurm started.
void add_fleet(CLI::App& app, const Settings& settings, int& status);
void add_serve(CLI::App& app, const Settings& settings);
void add_store(CLI::App& app);
// After all others, which these two describe. `words` are those after "--": what is being typed.
void add_completion(CLI::App& app, const std::vector<std::string>& words);
void add_manual(CLI::App& app);

}  // namespace ampere
