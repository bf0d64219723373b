#include "program/generation_step.h"

#include <fmt/format.h>

namespace ampere {
namespace {

constexpr std::int64_t kMostTokens = std::int64_t{1} << 40;  // products of two of them still fit

std::int64_t read_tokens(const JsonField& json, std::int64_t least) {
  const std::int64_t number = json.integer();
  if (number < least || number > kMostTokens)
    json.fail(fmt::format("{} is not between {} and {}", number, least, kMostTokens));
  return number;
}

GenerationStage read_stage(const JsonField& json) {
  const std::string word = json.text();
  for (const GenerationStage stage : {GenerationStage::prefill, GenerationStage::decode})
    if (word == to_string(stage)) return stage;
  json.fail("is neither prefill nor decode");
}

}  // namespace

const char* to_string(GenerationStage stage) {
  return stage == GenerationStage::prefill ? "prefill" : "decode";
}

std::string to_string(const GenerationStep& step) {
  if (step.stage == GenerationStage::prefill)
    return fmt::format("prefill, batch {}, prompt {}", step.batch, step.tokens);
  return fmt::format("decode, batch {}, context {}", step.batch, step.context);
}

Json generation_step_json(const GenerationStep& step) {
  Json json{{"stage", to_string(step.stage)},
            {"batch", step.batch},
            {"tokens", step.tokens},
            {"context", step.context}};
  if (step.cache_bytes) json["cache_bytes"] = *step.cache_bytes;
  return json;
}

GenerationStep read_generation_step(const JsonField& json) {
  GenerationStep step;
  step.stage = read_stage(json.at("stage"));
  step.batch = read_tokens(json.at("batch"), 1);
  step.tokens = read_tokens(json.at("tokens"), 1);
  const bool decodes = step.stage == GenerationStage::decode;
  if (decodes && step.tokens != 1) json.at("tokens").fail("is not 1, as it is in a decode");
  step.context = read_tokens(json.at("context"), decodes ? 1 : 0);
  if (!decodes && step.context != 0) json.at("context").fail("is not 0, as it is in a prefill");
  if (json.has("cache_bytes")) {
    step.cache_bytes = json.at("cache_bytes").integer();
    if (*step.cache_bytes < 0) json.at("cache_bytes").fail("must not be negative");
  }
  return step;
}

}  // namespace ampere
