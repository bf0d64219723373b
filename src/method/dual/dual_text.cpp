#include <cmath>

#include "ampere/error.h"
#include "base/long_texts.h"
#include "base/packed.h"
#include "base/packed_matrix.h"
#include "method/dual/dual.h"
#include "method/dual/dual_model.h"
#include "method/dual/width_features.h"
#include "record/record_json.h"
#include "tree/tree_text.h"

namespace ampere {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kVersion = 1;
constexpr Index kPowerColumns = 6;  // z and the device time of a block
constexpr std::int64_t kMostTaps = 1 << 20;
constexpr double kMostWidth = 1e15;

Json mean_json(const GpMean& mean) {
  return {{"constant", mean.constant()},
          {"signal_variance", mean.signal_variance()},
          {"length_scales", packed(mean.length_scales())},
          {"x", packed(mean.x())},
          {"weights", packed(mean.weights())}};
}

GpMean read_mean(const JsonField& json, Index columns) {
  VectorXd length_scales = read_vector(json.at("length_scales"));
  if (length_scales.size() != columns || (length_scales.array() <= 0).any())
    json.at("length_scales").fail("does not have one above 0 for each column");
  VectorXd weights = read_vector(json.at("weights"));
  MatrixXd x = read_matrix(json.at("x"), length_scales.size());
  if (weights.size() != x.rows()) json.at("weights").fail("does not have one value for each point");
  return {json.at("constant").number(), json.at("signal_variance").number(),
          std::move(length_scales), std::move(x), std::move(weights)};
}

Json steps_json(const BoostedTrees& trees) {
  Json json = trees_json(trees.trees());
  json["start"] = trees.start();
  return json;
}

BoostedTrees read_steps(const JsonField& json, Index columns) {
  return {json.at("start").number(), read_trees(json, columns)};
}

Json map_json(const TimeMap& map) {
  const TimeMap::Parts& parts = map.parts();
  std::vector<double> timed;
  for (const auto& [features, device_s] : parts.timed) {
    timed.insert(timed.end(), features.begin(), features.end());
    timed.push_back(device_s);
  }
  return {{"version", kVersion},
          {"taps", parts.taps},
          {"low", parts.low},
          {"high", parts.high},
          {"timed", pack(std::span<const double>(timed))},
          {"trend", packed(parts.trend)},
          {"steps", steps_json(parts.steps)},
          {"smooth", mean_json(parts.smooth)},
          {"host", parts.has_host ? mean_json(parts.host) : Json(nullptr)},
          {"trees_weight", parts.trees_weight},
          {"device_error", parts.device_error},
          {"repeat_error", parts.repeat_error}};
}

void read_timed(const JsonField& json, TimeMap::Parts& parts) {
  const VectorXd numbers = read_vector(json);
  const auto width = static_cast<Index>(parts.low.size());
  if (numbers.size() % (width + 1) != 0) json.fail("does not have one time for each point");
  for (Index at = 0; at < numbers.size(); at += width + 1) {
    std::vector<std::int64_t> features;
    for (Index i = 0; i < width; ++i) {
      if (std::abs(numbers[at + i]) > kMostWidth) json.fail("has a width that is none");
      features.push_back(static_cast<std::int64_t>(numbers[at + i]));
    }
    if (numbers[at + width] <= 0) json.fail("has a time that is not positive");
    parts.timed[std::move(features)] = numbers[at + width];
  }
}

TimeMap read_map(const JsonField& json) {
  TimeMap::Parts parts;
  parts.taps = json.at("taps").integer();
  if (parts.taps < 1 || parts.taps > kMostTaps) json.at("taps").fail("is no kernel's size");
  parts.low = json.at("low").integers();
  parts.high = json.at("high").integers();
  if (parts.high.size() != parts.low.size()) json.at("high").fail("must be as long as low");
  read_timed(json.at("timed"), parts);
  const std::vector<std::int64_t> any(parts.low.size(), 1);
  parts.trees_weight = json.at("trees_weight").number();
  parts.trend = read_vector(json.at("trend"));
  if (parts.trees_weight > 0 && parts.trend.size() != trend_features(any).size())
    json.at("trend").fail("does not have as many numbers as there are features");
  parts.steps = read_steps(json.at("steps"), TimeMap::tile_columns(parts.low.size()));
  parts.smooth = read_mean(json.at("smooth"), phase_features(any, parts.taps).size());
  parts.has_host = json.has("host");
  if (parts.has_host) parts.host = read_mean(json.at("host"), launch_features(any).size());
  parts.device_error = json.at("device_error").number();
  parts.repeat_error = json.at("repeat_error").number();
  return TimeMap(std::move(parts));
}

Json time_json(const TimeLaw& law) {
  return {{"synchronous", law.synchronous},
          {"device_constant_s", law.device_constant},
          {"device_scale", law.device_scale},
          {"device_per_block_s", law.device_per_block},
          {"device_s_per_byte", law.device_per_byte},
          {"device_scale_of_kind", law.device_scale_of_kind},
          {"host_constant_s", law.host_constant},
          {"host_scale", law.host_scale},
          {"host_per_kind_s", law.host_per_kind},
          {"overlap", law.overlap},
          {"device_error", law.device_error},
          {"host_error", law.host_error}};
}

TimeLaw read_time(const JsonField& json) {
  TimeLaw law;
  law.synchronous = json.at("synchronous").boolean();
  law.device_constant = json.at("device_constant_s").number();
  law.device_scale = json.at("device_scale").number();
  law.device_per_block = json.at("device_per_block_s").number();
  law.device_per_byte = json.at("device_s_per_byte").number();
  const JsonField scales = json.at("device_scale_of_kind");
  for (const std::string& kind : scales.keys())
    law.device_scale_of_kind[kind] = scales.at(kind).number();
  law.host_constant = json.at("host_constant_s").number();
  law.host_scale = json.at("host_scale").number();
  const JsonField kinds = json.at("host_per_kind_s");
  for (const std::string& kind : kinds.keys()) law.host_per_kind[kind] = kinds.at(kind).number();
  law.overlap = json.at("overlap").number();
  law.device_error = json.at("device_error").number();
  law.host_error = json.at("host_error").number();
  return law;
}

MatrixXd power_rows(const PowerTerms& terms) {
  MatrixXd rows(terms.z.rows(), kPowerColumns);
  rows << terms.z, terms.device_s;
  return rows;
}

Json energy_json(const EnergyLaw& law) {
  Json seen = Json::array();
  for (const PowerTerms& terms : law.seen) seen.push_back(packed(power_rows(terms)));
  return {{"ready_w", law.ready_w},
          {"device_w", law.device_w},
          {"j_per_flop", law.j_per_flop},
          {"j_per_byte", law.j_per_byte},
          {"j_per_block", law.j_per_block},
          {"length_scale", law.process.length_scale},
          {"power_variance", law.process.variance},
          {"noise", law.process.noise},
          {"seen", std::move(seen)},
          {"weights", packed(law.weights)},
          {"inverse_lower", packed(law.inverse_lower)}};
}

EnergyLaw read_energy(const JsonField& json) {
  EnergyLaw law;
  law.ready_w = json.at("ready_w").number();
  law.device_w = json.at("device_w").number();
  law.j_per_flop = json.at("j_per_flop").number();
  law.j_per_byte = json.at("j_per_byte").number();
  law.j_per_block = json.at("j_per_block").number();
  law.process = {json.at("length_scale").number(), json.at("power_variance").number(),
                 json.at("noise").number()};
  if (law.process.length_scale <= 0) json.at("length_scale").fail("must be above 0");
  for (const JsonField& item : json.at("seen").items()) {
    const MatrixXd rows = read_matrix(item, kPowerColumns);
    law.seen.push_back({rows.leftCols(kPowerColumns - 1), rows.col(kPowerColumns - 1)});
  }
  law.weights = read_vector(json.at("weights"));
  law.inverse_lower = read_matrix(json.at("inverse_lower"), law.weights.size());
  const auto count = static_cast<Index>(law.seen.size());
  if (law.weights.size() != count || law.inverse_lower.rows() != count)
    json.at("weights").fail("does not have one value for each network");
  return law;
}

Json laws_json(const DualModel& model) {
  return {{"version", kVersion},
          {"setup", setup_json(model.setup)},
          {"source", to_string(model.source)},
          {"time", time_json(model.time)},
          {"energy", energy_json(model.energy)},
          {"energy_inflation", model.inflation.energy},
          {"time_inflation", model.inflation.time},
          {"at_hand",
           {{"energy_inflation", model.at_hand.energy}, {"time_inflation", model.at_hand.time}}},
          {"check",
           {{"networks", model.check.networks},
            {"energy_mape", model.check.energy_mape},
            {"time_mape", model.check.time_mape}}}};
}

void check_version(const JsonField& json) {
  if (json.at("version").integer() != kVersion)
    json.at("version").fail("was written by another version; run `ampere profile` again");
}

Inflation read_inflation(const JsonField& json) {
  return {json.at("energy_inflation").number(), json.at("time_inflation").number()};
}

void read_laws(const JsonField& json, DualModel& model) {
  check_version(json);
  model.setup = read_setup(json.at("setup"));
  model.source = parse_source(json.at("source").text());
  model.time = read_time(json.at("time"));
  model.energy = read_energy(json.at("energy"));
  model.inflation = read_inflation(json);
  // Models from before there was another one at hand have none.
  model.at_hand = json.has("at_hand") ? read_inflation(json.at("at_hand")) : model.inflation;
  const JsonField check = json.at("check");
  model.check = {static_cast<int>(check.at("networks").integer()), check.at("energy_mape").number(),
                 check.at("time_mape").number()};
}

}  // namespace

DualText to_text(const DualModel& model) {
  DualText text{dump_with_long_texts(laws_json(model)), {}};
  for (const auto& [kind, map] : model.maps) text.maps[kind] = dump_with_long_texts(map_json(map));
  return text;
}

SharedDualModel parse_dual(const DualText& text) {
  auto model = std::make_shared<DualModel>();
  const Json laws = parse_with_long_texts(text.laws, "the dual model");
  read_laws(JsonField(laws, "the dual model: "), *model);
  for (const auto& [kind, map] : text.maps) {
    const std::string origin = "the dual model's map of '" + kind + "'";
    const Json json = parse_with_long_texts(map, origin);
    const JsonField field(json, origin + ": ");
    check_version(field);
    model->maps.emplace(kind, read_map(field));
  }
  return model;
}

}  // namespace ampere
