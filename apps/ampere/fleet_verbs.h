// The verbs of `ampere fleet`, one or a few neighbours per file.
#pragma once

#include "options.h"

namespace ampere {

void add_fleet_devices(CLI::App& fleet, const Settings& settings);
void add_fleet_profile(CLI::App& fleet, const Settings& settings);  // and what runs on the node
void add_fleet_plan(CLI::App& fleet, const Settings& settings);
void add_fleet_submit(CLI::App& fleet, const Settings& settings);
void add_fleet_status(CLI::App& fleet, const Settings& settings);  // and watch
void add_fleet_cancel(CLI::App& fleet, const Settings& settings);
void add_fleet_report(CLI::App& fleet, const Settings& settings);
void add_fleet_grant(CLI::App& fleet, const Settings& settings);  // and ledger
// What Slurm starts on a node; `status` is set to the exit status of the job.
void add_fleet_execute(CLI::App& fleet, const Settings& settings, int& status);

}  // namespace ampere
