// The user's settings: ~/.config/ampere/config.toml < ./ampere.toml < AMPERE_* variables. Options
// on the command line override them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ampere {

struct Settings {
  std::string store;  // default: sqlite: under $XDG_DATA_HOME/ampere/
  std::string rig = "local";
  std::string meter;
  std::string runner, python;
  std::int64_t batch = 10;
  std::string optimizer = "sgd";
  double confidence = 0.9;
  double carbon_g_per_kwh = 0;  // 0: not shown
  double price_per_kwh = 0;
};

// Throws Error(usage) for a broken file or value; unknown keys become warnings.
Settings load_settings(std::vector<std::string>& warnings);

}  // namespace ampere
