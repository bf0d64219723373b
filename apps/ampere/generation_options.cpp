#include "generation_options.h"

#include "base/amounts.h"
#include "ranges.h"

namespace ampere {
namespace {

constexpr const char* kGroup = "Generation (--mode generation)";

std::string first_given(const CLI::App& command, std::initializer_list<const char*> options) {
  for (const char* option : options)
    if (command.count(option) > 0) return option;
  return "";
}

}  // namespace

GenerationTask GenerationOptions::task(double confidence) const {
  GenerationTask task;
  task.prompt = prompt;
  task.new_tokens = new_tokens;
  task.confidence = confidence;
  if (!latency_limit.empty())
    task.most_between_tokens = parse_time_span(latency_limit, "--latency-limit");
  if (!first_token_limit.empty())
    task.most_to_first_token = parse_time_span(first_token_limit, "--first-token-limit");
  if (!memory.empty())
    task.memory_bytes = static_cast<std::int64_t>(parse_memory(memory, "--memory"));
  return task;
}

std::vector<std::int64_t> GenerationOptions::batches_with(const std::optional<std::int64_t>& batch,
                                                          std::int64_t otherwise) const {
  std::vector<std::int64_t> all = batches;
  if (batch) all.push_back(*batch);
  if (!all.empty()) return all;
  if (!latency_limit.empty() || !first_token_limit.empty()) return {1, 2, 4, 8, 16, 32, 64};
  return {otherwise};
}

void add_generation_options(CLI::App& command, GenerationOptions& options) {
  const auto add = [&](const char* name, auto& value, const char* about) {
    return command.add_option(name, value, about)->group(kGroup);
  };
  add("--prompt", options.prompt, "Tokens per prompt")
      ->check(whole_from_to(1, kMostGeneratedTokens))
      ->capture_default_str();
  add("--new-tokens", options.new_tokens, "Tokens to generate per sequence")
      ->check(whole_from_to(1, kMostGeneratedTokens))
      ->capture_default_str();
  add("--batches", options.batches,
      "Batches to compare, as in 1,4,16 (default: --batch, or 1 to 64 with a limit)")
      ->delimiter(',')
      ->check(whole_from_to(1, kLargestBatch));
  add("--contexts", options.contexts,
      "Lengths of the context to trace decodes at, besides the shortest and the longest that are "
      "needed (default: two between them)")
      ->delimiter(',')
      ->check(whole_from_to(1, kMostGeneratedTokens));
  add("--latency-limit", options.latency_limit,
      "Longest time between two tokens, as in 30ms; the cheapest batch inside of it is named");
  add("--first-token-limit", options.first_token_limit,
      "Longest time to the first token, as in 500ms");
  add("--memory", options.memory, "Memory of the device, as in 24GB or 80GiB");
  add("--keep-programs", options.keep_programs,
      "Folder to write the traced calls to, as .program files");
  command
      .add_flag("--calls", options.calls,
                "Only list the calls of the model that have to be traced; no MODEL is needed")
      ->group(kGroup);
}

std::string given_generation_option(const CLI::App& command) {
  return first_given(command,
                     {"--prompt", "--new-tokens", "--batches", "--contexts", "--latency-limit",
                      "--first-token-limit", "--memory", "--keep-programs", "--calls"});
}

std::string option_without_generation(const CLI::App& command) {
  return first_given(
      command, {"--optimizer",  "--weight-decay",  "--fused",       "--attention",   "--compile",
                "--accumulate", "--channels-last", "--iterations",  "--epochs",      "--samples",
                "--auto",       "--check",         "--no-learning", "--sensitivity", "--widths",
                "--modules",    "--battery",       "--carbon",      "--price",       "--export"});
}

}  // namespace ampere
