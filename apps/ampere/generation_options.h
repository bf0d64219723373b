// Options of --mode generation: what is generated, at which batches, inside of which limits.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "ampere/decide.h"

namespace ampere {

struct GenerationOptions {
  std::int64_t prompt = 512, new_tokens = 256;
  std::vector<std::int64_t> batches, contexts;
  std::string latency_limit, first_token_limit, memory, keep_programs;
  bool calls = false;

  GenerationTask task(double confidence) const;  // throws Error(usage)
  // `batch` is that of the command line, if it was given; `otherwise` is the usual one. Where a
  // limit is to be kept and no batch is named, there are several to choose from.
  std::vector<std::int64_t> batches_with(const std::optional<std::int64_t>& batch,
                                         std::int64_t otherwise) const;
};
void add_generation_options(CLI::App& command, GenerationOptions& options);

// The first of these options that was given, or nothing: without the mode they have no meaning.
std::string given_generation_option(const CLI::App& command);

// The first given option of `estimate` that says something about a training, or nothing.
std::string option_without_generation(const CLI::App& command);

}  // namespace ampere
