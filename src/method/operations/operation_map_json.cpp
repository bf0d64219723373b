#include <algorithm>
#include <cmath>

#include "base/packed.h"
#include "base/packed_matrix.h"
#include "method/operations/operations_json.h"

namespace ampere {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double positive(const JsonField& json) {
  const double value = json.number();
  if (!(value > 0)) json.fail("must be above 0");
  return value;
}

// Four bytes per number are enough: the points were rounded to them when the model was fitted.
Json packed_points(const MatrixXd& x) {
  const Eigen::MatrixXf values = x.cast<float>();
  return pack(std::span<const float>(values.data(), static_cast<std::size_t>(values.size())));
}

MatrixXd read_points(const JsonField& json, Index rows, Index columns) {
  std::vector<float> values;
  try {
    values = unpack_floats(json.text());
  } catch (const Error& error) {
    json.fail(error.what());
  }
  if (values.size() != static_cast<std::size_t>(rows * columns))
    json.fail("does not have one number for each feature of each point");
  const MatrixXd points =
      Eigen::Map<const Eigen::MatrixXf>(values.data(), rows, columns).cast<double>();
  if (!points.allFinite()) json.fail("has a number that is not finite");
  return points;
}

Json process_json(const TrendedProcess& process) {
  const TrendedHyperparameters& given = process.hyperparameters();
  return {{"signal", given.signal},
          {"noise", given.noise},
          {"trend", given.trend},
          {"length_scales", packed(given.length_scales)},
          {"constant", process.constant()},
          {"weights", packed(process.weights())},
          {"points", packed_points(process.x())}};
}

TrendedProcess read_process(const JsonField& json, Index columns) {
  TrendedHyperparameters given{positive(json.at("signal")), positive(json.at("noise")),
                               positive(json.at("trend")), read_vector(json.at("length_scales"))};
  if (given.length_scales.size() != columns || (given.length_scales.array() <= 0).any())
    json.at("length_scales").fail("does not have one above 0 for each feature");
  VectorXd weights = read_vector(json.at("weights"));
  MatrixXd points = read_points(json.at("points"), weights.size(), columns);
  return {std::move(given), std::move(points), json.at("constant").number(), std::move(weights)};
}

Json known_json(const KnownTimes& known) {
  std::vector<OperationKey> keys;
  std::vector<float> seconds;
  for (const auto& [key, time] : known.entries()) {
    keys.push_back(key);
    seconds.push_back(time);
  }
  return {{"keys", pack(std::span<const OperationKey>(keys))},
          {"seconds", pack(std::span<const float>(seconds))}};
}

KnownTimes read_known(const JsonField& json) {
  std::vector<KnownTimes::Entry> entries;
  try {
    const std::vector<OperationKey> keys = unpack_whole_numbers(json.at("keys").text());
    const std::vector<float> seconds = unpack_floats(json.at("seconds").text());
    if (keys.size() != seconds.size()) json.fail("does not have one time for each operation");
    for (std::size_t i = 0; i < keys.size(); ++i) entries.emplace_back(keys[i], seconds[i]);
  } catch (const Error& error) {
    json.fail(error.what());
  }
  for (const auto& [key, time] : entries)
    if (!(std::isfinite(time) && time >= 0)) json.at("seconds").fail("has a time that is none");
  if (!std::ranges::is_sorted(entries, {}, &KnownTimes::Entry::first))
    json.at("keys").fail("must be sorted");
  return KnownTimes(std::move(entries));
}

}  // namespace

Json part_model_json(const PartModel& model) {
  Json names = Json::object();
  for (const auto& [name, effect] : model.names.table()) names[name] = effect;
  Json json{{"offset", model.offset}, {"names", names}, {"inflation", model.inflation}};
  if (!model.has_process()) return json;
  json["centre"] = packed(model.centre);
  json["scale"] = packed(model.scale);
  json["process"] = process_json(model.process);
  return json;
}

PartModel read_part_model(const JsonField& json) {
  PartModel model;
  model.offset = json.at("offset").number();
  model.inflation = positive(json.at("inflation"));
  NameEffects::Table names;
  const JsonField effects = json.at("names");
  for (const std::string& name : effects.keys()) names[name] = effects.at(name).number();
  model.names = NameEffects(std::move(names));
  if (!json.has("process")) return model;
  model.centre = read_vector(json.at("centre"));
  model.scale = read_vector(json.at("scale"));
  if (model.centre.size() != model.scale.size() || (model.scale.array() < 0).any())
    json.at("scale").fail("does not have one of at least 0 for each feature");
  model.process = read_process(json.at("process"), (model.scale.array() > 0).count());
  return model;
}

Json operation_map_json(const OperationMap& map) {
  Json parts = Json::object();
  for (std::size_t i = 0; i < kOperationParts; ++i)
    if (!map.parts[i].names.table().empty())
      parts[to_string(static_cast<OperationPart>(i))] = part_model_json(map.parts[i]);
  Json device{{"multiprocessors", map.device.multiprocessors},
              {"cache_bytes", map.device.cache_bytes}};
  if (map.device.power_limit_w) device["power_limit_w"] = *map.device.power_limit_w;
  const Roofline& roofline = map.roofline;
  return {{"device", device},
          {"roofline",
           {{"floor_s", roofline.floor_s},
            {"bytes_per_s", roofline.bytes_per_s},
            {"fp32", roofline.flops_per_s[1]},
            {"tf32", roofline.flops_per_s[2]},
            {"half", roofline.flops_per_s[3]}}},
          {"parts", parts},
          {"known", known_json(map.known)}};
}

OperationMap read_operation_map(const JsonField& json) {
  OperationMap map;
  const JsonField device = json.at("device"), roofline = json.at("roofline");
  const std::int64_t multiprocessors = device.at("multiprocessors").integer();
  if (multiprocessors < 1 || multiprocessors > 1'000'000)
    device.at("multiprocessors").fail("is no number of multiprocessors");
  map.device = {static_cast<int>(multiprocessors), positive(device.at("cache_bytes")), {}};
  if (device.has("power_limit_w")) map.device.power_limit_w = positive(device.at("power_limit_w"));
  map.roofline.floor_s = positive(roofline.at("floor_s"));
  map.roofline.bytes_per_s = positive(roofline.at("bytes_per_s"));
  map.roofline.flops_per_s[1] = positive(roofline.at("fp32"));
  map.roofline.flops_per_s[2] = positive(roofline.at("tf32"));
  map.roofline.flops_per_s[3] = positive(roofline.at("half"));
  const JsonField parts = json.at("parts");
  for (const std::string& word : parts.keys()) {
    const auto part = find_operation_part(word);
    if (!part) parts.fail("has a part \"" + word + "\" that there is not");
    map.parts[static_cast<std::size_t>(*part)] = read_part_model(parts.at(word));
  }
  map.known = read_known(json.at("known"));
  return map;
}

}  // namespace ampere
