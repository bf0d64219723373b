// The values that an option or an argument may have, as far as they can be listed.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "completion.h"

namespace ampere {

struct CompletionValues {
  std::vector<CompletionWord> candidates;
  CompletionPaths paths = CompletionPaths::none;
  std::string before_path;
};

// `typed` is the start of the value, on which some values depend: the options of a network follow
// its name.
CompletionValues values_of(const CLI::Option& option, const std::string& typed);

}  // namespace ampere
