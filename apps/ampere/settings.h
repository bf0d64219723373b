// What the user has set once: ~/.config/ampere/config.toml < ./ampere.toml < AMPERE_* variables.
// Flags come last and are the commands' own business.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ampere {

struct Settings {
  std::string store;  // default: sqlite: under $XDG_DATA_HOME/ampere/
  std::string rig = "local";
  std::string meter;
  std::string runner;
  std::int64_t batch = 10;
  std::string optimizer = "sgd";
  double confidence = 0.9;
  double carbon_g_per_kwh = 0;  // 0: not asked for
  double price_per_kwh = 0;
};

// Throws Error(usage) for a broken file or value; unknown keys become warnings.
Settings load_settings(std::vector<std::string>& warnings);

}  // namespace ampere
