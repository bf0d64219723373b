// What the verbs of `ampere fleet` share: the files, the database, and Slurm where there is one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ampere/session.h"
#include "fleet/costs.h"
#include "fleet/fleet_file.h"
#include "fleet/job_table.h"
#include "fleet/slurm.h"
#include "options.h"
#include "sql/sql.h"

namespace ampere {

struct FleetOptions {
  std::string fleet = "fleet.toml";
  std::string store;
  double silence_s = 60;
  bool json = false;
};
void add_fleet_file_option(CLI::App& command, FleetOptions& options);
// The database, and --json.
void add_fleet_common(CLI::App& command, FleetOptions& options, const Settings& settings);
void add_silence_option(CLI::App& command, FleetOptions& options);

// Both throw Error(usage) that names the file and the field.
FleetFile load_fleet(const FleetOptions& options);
JobFile load_jobs(const std::string& path, std::chrono::sys_seconds now);

std::chrono::sys_seconds utc_seconds_now();

// Waits for a server that restarts, as long as a store does. Stopped by Ctrl-C.
std::shared_ptr<SqlDatabase> open_fleet_database(const std::string& store, Access access);
// Which devices were found, without making a table; none where there is no database yet.
DeviceOfKind known_devices(const std::string& store);

Slurm open_slurm();
// Nothing where Slurm is not installed.
std::optional<std::vector<SlurmNode>> nodes_of_slurm();
std::vector<KindNow> current_kinds(const FleetFile& fleet);

OpenModel model_opener();  // networks of the zoo and files, opened once each

// "list", or the file of a list: its name.
std::string list_name(const std::string& text);

}  // namespace ampere
