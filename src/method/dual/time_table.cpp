#include "method/dual/time_table.h"

#include <algorithm>
#include <cmath>

#include "base/prefetch.h"
#include "method/dual/mixed_time.h"
#include "method/dual/width_features.h"

namespace ampere {
namespace {

using Eigen::Index;

constexpr std::size_t kMostWidths = 1 << 14;  // of about 2 kB each

std::size_t places_of(const TimeMap& map) { return map.parts().low.size(); }

Eigen::VectorXd phases_of(std::int64_t width, std::int64_t taps) {
  return phase_features(Widths(&width, 1), taps);
}
Eigen::VectorXd launch_of(std::int64_t width) { return launch_features(Widths(&width, 1)); }
Eigen::VectorXd tiles_of(std::int64_t width, std::int64_t taps) {
  return tile_features(Widths(&width, 1), taps);
}

}  // namespace

TimeTable::TimeTable(const TimeMap& map)
    : map_(map), smooth_(map.parts().smooth), host_(map.parts().host), places_(places_of(map)) {
  squares_.resize(smooth_.points() + host_.points());
  const TimeMap::Parts& parts = map.parts();
  if (parts.trees_weight > 0) {
    const auto columns = static_cast<std::size_t>(TimeMap::tile_columns(places_of(map)));
    masks_ = TreeMasks(parts.steps.trees(), columns);
    const auto own = static_cast<std::size_t>(tiles_of(1, parts.taps).size());
    if (!masks_.empty())
      for (std::size_t column = places_of(map) * own; column < columns; ++column)
        joint_.push_back(tabulate(column));
  }
}

TimeTable::Joint TimeTable::tabulate(std::size_t column) const {
  Joint joint{masks_.cuts(column), {masks_.all()}};
  for (const double cut : joint.cuts) {
    const double above = std::nextafter(cut, INFINITY);
    joint.leaves.push_back(masks_.all());
    masks_.narrow(column, {&above, 1}, joint.leaves.back());
  }
  return joint;
}

std::size_t TimeTable::row(std::size_t index, std::int64_t width) {
  Place& place = places_[index];
  const auto found = place.rows.find({&width, 1});
  if (found) return static_cast<std::size_t>(*found);
  place.rows.add({&width, 1}, static_cast<int>(place.timed.size()));
  add(index, width);
  ++tabulated_;
  return place.timed.size() - 1;
}

void TimeTable::add(std::size_t index, std::int64_t width) {
  Place& place = places_[index];
  const TimeMap::Parts& parts = map_.parts();
  const Eigen::VectorXd phases = phases_of(width, parts.taps), launch = launch_of(width);
  const auto at = static_cast<Index>(index);
  for (const Eigen::ArrayXd& squares :
       {smooth_.squares(at * phases.size(), phases), host_.squares(at * launch.size(), launch)})
    place.squares.insert(place.squares.end(), squares.begin(), squares.end());
  place.timed.push_back(std::any_of(parts.timed.begin(), parts.timed.end(),
                                    [&](const auto& one) { return one.first[index] == width; }));
  if (masks_.empty()) return;
  const Eigen::VectorXd tiles = tiles_of(width, parts.taps);
  const auto count = static_cast<std::size_t>(tiles.size());
  TreeMasks::Leaves leaves = masks_.all();
  masks_.narrow(index * count, {tiles.data(), count}, leaves);
  place.leaves.insert(place.leaves.end(), leaves.begin(), leaves.end());
}

BlockTime TimeTable::operator()(const std::vector<std::int64_t>& features) {
  if (features.size() != places_.size()) return map_(features);  // which says what is wrong
  if (tabulated_ > kMostWidths) {
    for (Place& place : places_) place = {};
    tabulated_ = 0;
  }
  rows_.clear();
  for (std::size_t i = 0; i < features.size(); ++i) {
    rows_.push_back(row(i, features[i]));
    prefetch(squares(i));
    prefetch(leaves(i));
  }
  squares_.setZero();
  for (std::size_t i = 0; i < features.size(); ++i)
    squares_ += Eigen::Map<const Eigen::ArrayXd>(squares(i).data(), squares_.size());
  return mixed_time(
      map_.parts(), features, timed(features), [&] { return host_(squares_.tail(host_.points())); },
      [&] { return smooth_(squares_.head(smooth_.points())); },
      [&] { return steps_log(features); });
}

// Most blocks have a width that no block had that was timed, and need not be looked for.
const double* TimeTable::timed(const std::vector<std::int64_t>& features) const {
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (!places_[i].timed[rows_[i]]) return nullptr;
  return map_.timed(features);
}

double TimeTable::steps_log(const std::vector<std::int64_t>& features) {
  const TimeMap::Parts& parts = map_.parts();
  if (masks_.empty()) return parts.steps(tile_features(features, parts.taps));
  leaves_.assign(masks_.trees(), ~std::uint32_t{0});
  others_.clear();
  for (std::size_t i = 0; i < rows_.size(); ++i) others_.push_back(leaves(i).data());
  const Eigen::VectorXd joint = joint_tile_features(features);
  for (std::size_t i = 0; i < joint_.size(); ++i) {
    const std::vector<double>& cuts = joint_[i].cuts;
    const auto below =
        std::lower_bound(cuts.begin(), cuts.end(), joint[static_cast<Index>(i)]) - cuts.begin();
    others_.push_back(joint_[i].leaves[static_cast<std::size_t>(below)].data());
  }
  return masks_.sum(parts.steps.start(), leaves_, others_);
}

}  // namespace ampere
