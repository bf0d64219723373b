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

// --arg alone.
void add_script_arguments(CLI::App& command, std::vector<std::string>& arguments);

bool is_script(const std::string& text);  // by its ending alone

// What "FILE.py:FUNCTION" or "FILE.py" (function build) names; nothing for any other text. The
// arguments are NAME=VALUE, with values that are JSON or else texts. Throws Error(usage) for
// malformed ones and Error(unknown) when there is no such file.
std::optional<Script> script_argument(const std::string& text,
                                      const std::vector<std::string>& arguments);

// Throws Error(usage) when the command line says how to train, which only the script can.
void refuse_setup_options(const CLI::App& command);
// The same where the option was found before: the first that the command line has, or nothing.
std::string given_setup_option(const CLI::App& command);
void refuse_setup_option(const std::string& option);

// NAME=VALUE texts, of which those of one side replace those for both.
std::vector<std::string> own_arguments(const std::vector<std::string>& common,
                                       const std::vector<std::string>& own);

// The same script with at most so many samples, by its argument "batch". Nothing when it was not
// given such an argument.
std::optional<Script> with_batch(const Script& script, std::int64_t batch);

}  // namespace ampere
