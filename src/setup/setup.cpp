#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "ampere/error.h"
#include "ampere/train.h"
#include "base/text.h"
#include "setup/general_setup.h"

namespace ampere {

namespace {

constexpr std::array<std::pair<Optimizer, const char*>, 4> kOptimizers{
    {{Optimizer::sgd, "sgd"},
     {Optimizer::plain_sgd, "plain-sgd"},
     {Optimizer::adam, "adam"},
     {Optimizer::adamw, "adamw"}}};

const std::vector<std::string>& number_formats() {
  static const std::vector<std::string> formats{"fp32", "tf32", "bf16", "fp16"};
  return formats;
}

std::vector<std::string> optimizer_names() {
  std::vector<std::string> names;
  for (const auto& [optimizer, name] : kOptimizers) names.emplace_back(name);
  return names;
}

std::string listed(const std::vector<std::string>& words) {
  return fmt::format("there {} {}", words.size() == 1 ? "is" : "are", fmt::join(words, ", "));
}

// The options that are not at their defaults: their keys in JSON, and how they are read out.
std::vector<std::pair<std::string, std::string>> options_in_use(const StepOptions& options) {
  std::vector<std::pair<std::string, std::string>> used;
  if (options.weight_decay)
    used.emplace_back("weight_decay", fmt::format("weight decay {}", *options.weight_decay));
  if (options.fused) used.emplace_back("fused", "fused optimizer");
  if (options.plain_attention) used.emplace_back("attention", "plain attention");
  if (options.compiled) used.emplace_back("compile", "compiled");
  if (options.channels_last) used.emplace_back("channels_last", "channels last");
  if (options.accumulation != 1)
    used.emplace_back("accumulation", fmt::format("{} micro-batches", options.accumulation));
  return used;
}

}  // namespace

const char* to_string(Optimizer optimizer) {
  for (const auto& [each, name] : kOptimizers)
    if (each == optimizer) return name;
  return "sgd";
}

Optimizer parse_optimizer(const std::string& text) {
  for (const auto& [optimizer, name] : kOptimizers)
    if (text == name) return optimizer;
  const std::vector<std::string> names = optimizer_names();
  throw Error(ErrorCode::usage, fmt::format("unknown optimizer '{}'{}; {}", text,
                                            suggestion(text, names), listed(names)));
}

const std::string& parse_number_format(const std::string& text) {
  for (const std::string& format : number_formats())
    if (text == format) return format;
  throw Error(ErrorCode::usage,
              fmt::format("'{}' is not a number format{}; {}", text,
                          suggestion(text, number_formats()), listed(number_formats())));
}

const char* to_string(Phase phase) {
  switch (phase) {
    case Phase::iteration:
      return "iteration";
    case Phase::forward:
      return "forward";
    case Phase::backward:
      return "backward";
    case Phase::update:
      return "update";
    case Phase::block:
      return "block";
    case Phase::inference:
      return "inference";
  }
  return "iteration";
}

Phase parse_phase(const std::string& text) {
  for (const Phase phase : {Phase::iteration, Phase::forward, Phase::backward, Phase::update,
                            Phase::block, Phase::inference})
    if (text == to_string(phase)) return phase;
  throw Error(ErrorCode::usage, fmt::format("unknown phase '{}'; there are iteration, forward, "
                                            "backward, update, block and inference",
                                            text));
}

Setup with_phase(Setup setup, Phase phase) {
  setup.phase = phase;
  return setup;
}

Setup inference_setup(std::int64_t batch) {
  Setup setup;
  setup.batch = batch;
  setup.phase = Phase::inference;
  return setup;
}

std::string to_string(const Setup& setup) {
  if (is_general(setup)) return "any setup";
  std::string options;
  for (const auto& [key, text] : options_in_use(setup.options)) options += ", " + text;
  if (setup.phase == Phase::inference)
    return fmt::format("batch {}, {}{}, inference", setup.batch, setup.precision, options);
  return fmt::format(
      "batch {}, {}, {}{}{}", setup.batch, to_string(setup.optimizer), setup.precision, options,
      setup.phase == Phase::iteration ? "" : fmt::format(", {} alone", to_string(setup.phase)));
}

SetupRange every_setup() {
  return {number_formats(),
          optimizer_names(),
          {"weight_decay", "fused", "attention", "compile", "channels_last", "accumulation"}};
}

std::string missing_from(const SetupRange& range, const Setup& setup) {
  const auto lacks = [](const std::vector<std::string>& words, const std::string& word) {
    return std::ranges::find(words, word) == words.end();
  };
  if (lacks(range.precisions, setup.precision))
    return fmt::format("train in {} ({})", setup.precision, listed(range.precisions));
  if (setup.phase != Phase::inference && lacks(range.optimizers, to_string(setup.optimizer)))
    return fmt::format("train with {} ({})", to_string(setup.optimizer), listed(range.optimizers));
  for (const auto& [key, text] : options_in_use(setup.options))
    if (lacks(range.options, key))
      return fmt::format("train with the option '{}' ({})", text,
                         range.options.empty() ? "it has none" : listed(range.options));
  return "";
}

}  // namespace ampere
