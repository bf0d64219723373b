#include <cmath>

#include "base/packed.h"
#include "base/packed_matrix.h"
#include "method/dual/dual_json.h"
#include "method/dual/width_features.h"
#include "tree/tree_text.h"

namespace ampere {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

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

}  // namespace

Json map_json(const TimeMap& map) {
  const TimeMap::Parts& parts = map.parts();
  std::vector<double> timed;
  for (const auto& [features, device_s] : parts.timed) {
    timed.insert(timed.end(), features.begin(), features.end());
    timed.push_back(device_s);
  }
  return {{"taps", parts.taps},
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

}  // namespace ampere
