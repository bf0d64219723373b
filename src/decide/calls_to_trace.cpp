#include <fmt/format.h>

#include <set>

#include "ampere/decide.h"
#include "decide/check_generation.h"

namespace ampere {
namespace {

std::set<std::int64_t> contexts_of(const GenerationTask& task,
                                   const std::vector<std::int64_t>& asked) {
  std::set<std::int64_t> contexts(asked.begin(), asked.end());
  if (task.decodes() == 0) return contexts;
  const std::int64_t first = task.first_context(), last = task.last_context();
  contexts.insert({first, last});
  if (asked.empty())
    for (int i = 1; i + 1 < kDefaultContexts; ++i)
      contexts.insert(first + (last - first) * i / (kDefaultContexts - 1));
  return contexts;
}

}  // namespace

void check_generation(const GenerationTask& task) {
  const auto refuse = [](const std::string& why) { throw Error(ErrorCode::usage, why); };
  if (task.prompt < 1)
    refuse(fmt::format("a prompt of {} tokens: there must be at least one to read", task.prompt));
  if (task.new_tokens < 1)
    refuse(fmt::format("{} new tokens: there must be at least one to generate", task.new_tokens));
  if (task.prompt > kMostGeneratedTokens || task.new_tokens > kMostGeneratedTokens ||
      task.prompt + task.new_tokens > kMostGeneratedTokens)
    refuse(fmt::format("a sequence of {} tokens is too long: at most {} are estimated",
                       static_cast<double>(task.prompt) + static_cast<double>(task.new_tokens),
                       kMostGeneratedTokens));
}

std::vector<GenerationStep> calls_to_trace(const GenerationTask& task,
                                           const std::vector<std::int64_t>& batches,
                                           const std::vector<std::int64_t>& contexts) {
  check_generation(task);
  if (batches.empty()) throw Error(ErrorCode::usage, "there is no batch to generate with");
  for (const std::int64_t batch : batches)
    if (batch < 1)
      throw Error(ErrorCode::usage, fmt::format("a batch of {} sequences is none", batch));
  for (const std::int64_t context : contexts)
    if (context < 1 || context > kMostGeneratedTokens)
      throw Error(ErrorCode::usage, fmt::format("a context of {} tokens is not between 1 and {}",
                                                context, kMostGeneratedTokens));
  std::vector<GenerationStep> calls;
  for (const std::int64_t batch : std::set(batches.begin(), batches.end())) {
    calls.push_back({GenerationStage::prefill, batch, task.prompt, 0});
    for (const std::int64_t context : contexts_of(task, contexts))
      calls.push_back({GenerationStage::decode, batch, 1, context});
  }
  return calls;
}

}  // namespace ampere
