// Answers what generating text costs: traces a script or reads programs, then asks the session.
#pragma once

#include <string>
#include <vector>

#include "ampere/session.h"
#include "generation_options.h"
#include "options.h"

namespace ampere {

// Everything of a command line that the answer depends on.
struct GenerationQuestion {
  std::vector<std::string> models;     // one script, or programs
  std::vector<std::string> arguments;  // of the script
  GenerationOptions options;
  std::optional<std::int64_t> batch;  // where --batch was given
  std::int64_t usual_batch = 1;
  std::string number_format;  // where --precision was given
  double confidence = 0.9;
  bool refine = false;
  ProfileQuery query = {};
  RigSelection rig;
  std::string store;
};

struct Generated {
  GenerationTask task;
  GenerationAnswer answer;
};

// Notes of the tracer go to standard error. Throws Error.
Generated answer_generation(const GenerationQuestion& question);

// Prints the calls that have to be traced.
void list_calls(const GenerationQuestion& question, bool json);

}  // namespace ampere
