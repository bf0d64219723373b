#include "base/long_texts.h"
#include "method/dual/dual.h"
#include "method/dual/dual_json.h"
#include "record/record_json.h"

namespace ampere {
namespace {

constexpr int kVersion = 1;

Json stored_laws_json(const DualModel& model) {
  Json json{{"version", kVersion},
            {"setup", setup_json(model.setup)},
            {"source", to_string(model.source)},
            {"hidden", model.hidden}};
  json.update(laws_json(model));
  json["check"] = {{"networks", model.check.networks},
                   {"energy_mape", model.check.energy_mape},
                   {"time_mape", model.check.time_mape}};
  return json;
}

void check_version(const JsonField& json) {
  if (json.at("version").integer() != kVersion)
    json.at("version").fail("was written by another version; profile again", Remedy::profile);
}

void read_stored_laws(const JsonField& json, DualModel& model) {
  check_version(json);
  model.setup = read_setup(json.at("setup"));
  model.source = parse_source(json.at("source").text());
  if (json.has("hidden"))
    for (const JsonField& kind : json.at("hidden").items()) model.hidden.insert(kind.text());
  read_laws(json, model);
  const JsonField check = json.at("check");
  model.check = {static_cast<int>(check.at("networks").integer()), check.at("energy_mape").number(),
                 check.at("time_mape").number()};
}

}  // namespace

std::string to_text(const TimeMap& map) {
  Json json{{"version", kVersion}};
  json.update(map_json(map));
  return dump_with_long_texts(json);
}

TimeMap parse_map(const std::string& text, const std::string& kind) {
  const std::string origin = "the dual model's map of '" + kind + "'";
  const Json json = parse_with_long_texts(text, origin);
  const JsonField field(json, origin + ": ");
  check_version(field);
  return read_map(field);
}

DualText to_text(const DualModel& model) {
  DualText text{dump_with_long_texts(stored_laws_json(model)), {}};
  for (const auto& [kind, map] : model.maps) text.maps[kind] = to_text(map);
  return text;
}

SharedDualModel parse_dual(const DualText& text) {
  auto model = std::make_shared<DualModel>();
  const Json laws = parse_with_long_texts(text.laws, "the dual model");
  read_stored_laws(JsonField(laws, "the dual model: "), *model);
  for (const auto& [kind, map] : text.maps) model->maps.emplace(kind, parse_map(map, kind));
  return model;
}

}  // namespace ampere
