// A file that lists what to judge estimates by: families, models and training steps of one's own
// (docs/suites.md).
#pragma once

#include <string>
#include <vector>

#include "ampere/evaluate.h"

namespace ampere {

// Random networks of one family at one setup, each measured twice.
struct SuiteFamily {
  std::string family;
  Setup setup;
  int networks = 40;
  std::vector<std::string> methods = {};  // all where empty
  std::optional<Seconds> seconds = {};    // of measuring for each method; its own default if absent
};

struct SuiteFile {
  std::vector<SuiteFamily> families;
  Suite steps;                     // models and scripts, each measured once
  std::optional<DataSheet> sheet;  // of the device, where the file states it
};

// Throws Error(unknown) when there is no such file, and Error(usage) that names the file and the
// entry of one that is wrong.
SuiteFile load_suite(const std::string& path);

// What other tools say of the steps: a JSON object per line with `peer`, `entry`, and `time_s`,
// `energy_j` or both. Throws Error(usage) that names the file and the line.
std::vector<SuitePeer> load_peers(const std::string& path, const Suite& steps);

}  // namespace ampere
