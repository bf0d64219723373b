#include "setup/asked_setup.h"

#include <fmt/format.h>

#include <vector>

#include "base/read_number.h"

namespace ampere {

std::int64_t read_whole_up_to(const JsonField& json, std::int64_t most) {
  const std::int64_t value = json.integer();
  if (value < 1 || value > most) json.fail(fmt::format("{} is not between 1 and {}", value, most));
  return value;
}

std::span<const std::string> setup_keys() {
  static const std::vector<std::string> keys{"batch",        "optimizer",  "precision",
                                             "weight_decay", "fused",      "attention",
                                             "compile",      "accumulate", "channels_last"};
  return keys;
}

Setup read_asked_setup(const JsonField& json, const Setup& otherwise) {
  Setup setup = otherwise;
  StepOptions& options = setup.options;
  if (json.has("batch")) setup.batch = read_whole_up_to(json.at("batch"), kLargestBatch);
  if (json.has("optimizer")) setup.optimizer = read_word(json.at("optimizer"), parse_optimizer);
  if (json.has("precision")) setup.precision = read_word(json.at("precision"), parse_number_format);
  if (json.has("weight_decay")) options.weight_decay = read_at_least_zero(json.at("weight_decay"));
  options.fused = json.boolean_or("fused", options.fused);
  options.compiled = json.boolean_or("compile", options.compiled);
  options.channels_last = json.boolean_or("channels_last", options.channels_last);
  if (json.has("accumulate"))
    options.accumulation = read_whole_up_to(json.at("accumulate"), kLargestBatch);
  if (json.has("attention")) {
    const std::string attention = json.at("attention").text();
    if (attention != "fused" && attention != "plain")
      json.at("attention").fail(fmt::format("'{}' is neither fused nor plain", attention));
    options.plain_attention = attention == "plain";
  }
  return setup;
}

std::optional<std::int64_t> read_asked_iterations(const JsonField& json, std::int64_t batch) {
  const bool epochs = json.has("epochs") || json.has("samples");
  if (!epochs && !json.has("iterations")) return std::nullopt;
  if (epochs && json.has("iterations"))
    json.fail("has iterations as well as epochs and samples; give only one of them");
  if (!epochs) return read_whole_up_to(json.at("iterations"), kMostIterations);
  const std::int64_t samples = read_whole_up_to(json.at("samples"), kMostIterations);
  const std::int64_t per_epoch = (samples + batch - 1) / batch;
  return per_epoch * read_whole_up_to(json.at("epochs"), kMostIterations / per_epoch);
}

}  // namespace ampere
