#include "commands.h"
#include "fleet_verbs.h"

namespace ampere {

void add_fleet(CLI::App& app, const Settings& settings, int& status) {
  CLI::App* fleet = app.add_subcommand("fleet",
                                       "Plans jobs over the devices of a Slurm cluster by their "
                                       "energy, runs them inside budgets and "
                                       "a power cap, and accounts for every joule");
  fleet->require_subcommand(1);
  add_fleet_devices(*fleet, settings);
  add_fleet_profile(*fleet, settings);
  add_fleet_plan(*fleet, settings);
  add_fleet_submit(*fleet, settings);
  add_fleet_status(*fleet, settings);
  add_fleet_cancel(*fleet, settings);
  add_fleet_report(*fleet, settings);
  add_fleet_grant(*fleet, settings);
  add_fleet_execute(*fleet, settings, status);
  add_example(*fleet, "ampere fleet plan jobs.toml --cap 20kW");
}

}  // namespace ampere
