// How good the estimates of a suite were, replayed from a recording by the program itself.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli.h"

namespace ampere::testing_support {

// What `evaluate --json` prints, line by line.
std::vector<Json> lines_of_suite(const Cli& cli, const std::string& suite,
                                 const std::string& recording, const std::string& store,
                                 const std::string& options = "");

// By the name of who answered. `store` has the general profile; what is measured goes into it.
std::map<std::string, Json> scores_of_suite(const Cli& cli, const std::string& suite,
                                            const std::string& recording, const std::string& store);

}  // namespace ampere::testing_support
