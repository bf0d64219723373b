// A training step of the user's own on the command line: train.py:build --arg batch=128.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "ampere/rig.h"

namespace ampere {

// MODEL, which may be such a step, and --arg.
void add_step_argument(CLI::App& command, std::string& model, std::vector<std::string>& arguments);

// What "FILE.py:FUNCTION" or "FILE.py" (function build) names; nothing for any other text. The
// arguments are NAME=VALUE, with values that are JSON or else texts. Throws Error(usage) for
// malformed ones and Error(unknown) when there is no such file.
std::optional<Script> script_argument(const std::string& text,
                                      const std::vector<std::string>& arguments);

// Throws Error(usage) when the command line says how to train, which only the script can.
void refuse_setup_options(const CLI::App& command);

}  // namespace ampere
