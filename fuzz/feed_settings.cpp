// Files in TOML: settings, fleets and their jobs, suites.
#include <cstdlib>

#include "../apps/ampere/settings.h"
#include "../apps/ampere/suite_file.h"
#include "../apps/ampere/toml_file.h"
#include "ampere/error.h"
#include "fleet/fleet_file.h"
#include "fuzz/boundaries.h"
#include "fuzz/scratch.h"

namespace ampere {

// script_argument.cpp names it in the help of the command line, which is not part of this program.
const char* model_help() { return ""; }

}  // namespace ampere

namespace ampere::fuzz {

void feed_settings(std::string_view bytes) try {
  scratch_file("ampere/config.toml", bytes);
  setenv("XDG_CONFIG_HOME", scratch_folder().c_str(), 1);
  std::vector<std::string> warnings;
  load_settings(warnings);
} catch (const Error&) {
}

void feed_jobs(std::string_view bytes) try {
  const Json document = load_toml(scratch_file("jobs.toml", bytes));
  try {
    read_fleet_file(document, "fuzzed");
  } catch (const Error&) {
  }
  read_job_file(document, "fuzzed", {});
} catch (const Error&) {
}

void feed_suite(std::string_view bytes) try {
  load_suite(scratch_file("suite.toml", bytes));
} catch (const Error&) {
}

}  // namespace ampere::fuzz
