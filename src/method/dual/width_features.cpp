#include "method/dual/width_features.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace ampere {
namespace {

constexpr std::int64_t kTile = 64;
constexpr int kMostHalvings = 3;
constexpr double kLaunchWidth = 32;

Eigen::VectorXd to_vector(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

double halvings(std::int64_t width) {
  return std::min(kMostHalvings, std::countr_zero(static_cast<std::uint64_t>(width)));
}

double phase(std::int64_t value) {
  return static_cast<double>(value % kTile) / static_cast<double>(kTile);
}

}  // namespace

Eigen::VectorXd trend_features(Widths widths) {
  std::vector<double> row;
  row.reserve((widths.size() + 1) * (widths.size() + 2) / 2);
  row.push_back(1);
  for (const std::int64_t width : widths) row.push_back(std::log2(width));
  const std::size_t count = row.size();
  for (std::size_t i = 1; i < count; ++i)
    for (std::size_t j = i; j < count; ++j) row.push_back(row[i] * row[j]);
  return to_vector(row);
}

Eigen::VectorXd tile_features(Widths widths, std::int64_t taps) {
  std::vector<double> row;
  for (const std::int64_t c : widths) {
    for (const std::int64_t value : {c, c % 8, c % 16, c % 32, (c - 1) % kTile, taps * c % 32,
                                     taps * c % kTile, taps * c % (2 * kTile)})
      row.push_back(static_cast<double>(value));
    row.push_back(halvings(c));
  }
  const Eigen::VectorXd joint = joint_tile_features(widths);
  row.insert(row.end(), joint.begin(), joint.end());
  return to_vector(row);
}

Eigen::VectorXd joint_tile_features(Widths widths) {
  if (widths.size() < 2) return {};
  double product = 1;
  for (const std::int64_t c : widths) product *= static_cast<double>(c);
  return Eigen::Vector2d(product, static_cast<double>(widths[0]) / static_cast<double>(widths[1]));
}

Eigen::VectorXd phase_features(Widths widths, std::int64_t taps) {
  std::vector<double> row;
  for (const std::int64_t c : widths) {
    row.push_back(std::log2(c));
    row.push_back(halvings(c) / kMostHalvings);
    row.push_back(phase(c - 1));
    if (taps > 1) row.push_back(phase(taps * c));
  }
  return to_vector(row);
}

Eigen::VectorXd launch_features(Widths widths) {
  std::vector<double> row;
  for (const std::int64_t c : widths) {
    row.push_back(std::log2(c));
    row.push_back(static_cast<double>(c) / kLaunchWidth);
  }
  return to_vector(row);
}

}  // namespace ampere
