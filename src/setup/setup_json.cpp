#include "setup/setup_json.h"

#include "base/read_number.h"

namespace ampere {

// What is at its default has no key, so that setups are equal to what was stored before there was
// such a key.
Json setup_json(const Setup& setup) {
  Json json{{"batch", setup.batch},
            {"optimizer", to_string(setup.optimizer)},
            {"precision", setup.precision}};
  if (setup.phase != Phase::iteration) json["phase"] = to_string(setup.phase);
  const StepOptions& options = setup.options;
  if (options.weight_decay) json["weight_decay"] = *options.weight_decay;
  if (options.fused) json["fused"] = true;
  if (options.plain_attention) json["attention"] = "plain";
  if (options.compiled) json["compile"] = true;
  if (options.channels_last) json["channels_last"] = true;
  if (options.accumulation != 1) json["accumulation"] = options.accumulation;
  return json;
}

namespace {

StepOptions read_step_options(const JsonField& json) {
  StepOptions options;
  if (json.has("weight_decay")) options.weight_decay = read_at_least_zero(json.at("weight_decay"));
  if (json.has("fused")) options.fused = json.at("fused").boolean();
  if (json.has("attention")) {
    const std::string attention = json.at("attention").text();
    if (attention != "plain" && attention != "fused")
      json.at("attention").fail("is neither plain nor fused");
    options.plain_attention = attention == "plain";
  }
  if (json.has("compile")) options.compiled = json.at("compile").boolean();
  if (json.has("channels_last")) options.channels_last = json.at("channels_last").boolean();
  if (json.has("accumulation")) options.accumulation = read_count(json.at("accumulation"), 1);
  return options;
}

}  // namespace

Setup read_setup(const JsonField& json) {
  Setup setup;
  setup.batch = json.at("batch").integer();
  if (setup.batch < 1) json.at("batch").fail("must be at least 1");
  setup.optimizer = read_word(json.at("optimizer"), parse_optimizer);
  setup.precision = json.at("precision").text();
  if (json.has("phase")) setup.phase = read_word(json.at("phase"), parse_phase);
  setup.options = read_step_options(json);
  return setup;
}

}  // namespace ampere
