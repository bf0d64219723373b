#include "method/dual/time_table.h"

#include <algorithm>
#include <cmath>

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
    : map_(map), smooth_(map.parts().smooth), host_(map.parts().host), widths_(places_of(map)) {
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

TimeTable::Width TimeTable::add(std::size_t place, std::int64_t width) const {
  const TimeMap::Parts& parts = map_.parts();
  const Eigen::VectorXd phases = phases_of(width, parts.taps), launch = launch_of(width);
  const auto at = static_cast<Index>(place);
  Width added{
      smooth_.squares(at * phases.size(), phases), host_.squares(at * launch.size(), launch), {}};
  if (masks_.empty()) return added;
  const Eigen::VectorXd tiles = tiles_of(width, parts.taps);
  const auto count = static_cast<std::size_t>(tiles.size());
  added.leaves = masks_.all();
  masks_.narrow(place * count, {tiles.data(), count}, added.leaves);
  return added;
}

BlockTime TimeTable::operator()(const std::vector<std::int64_t>& features) {
  if (features.size() != widths_.size()) return map_(features);  // which says what is wrong
  if (tabulated_ > kMostWidths) {
    for (auto& of_place : widths_) of_place.clear();
    tabulated_ = 0;
  }
  asked_.clear();
  for (std::size_t i = 0; i < features.size(); ++i) {
    auto found = widths_[i].find(features[i]);
    if (found == widths_[i].end()) {
      found = widths_[i].emplace(features[i], add(i, features[i])).first;
      ++tabulated_;
    }
    asked_.push_back(&found->second);
  }
  return mixed_time(
      map_.parts(), features, [&] { return host_log(); }, [&] { return smooth_log(); },
      [&] { return steps_log(features); });
}

double TimeTable::host_log() {
  squares_.setZero(host_.points());
  for (const Width* width : asked_) squares_ += width->host;
  return host_(squares_);
}

double TimeTable::smooth_log() {
  squares_.setZero(smooth_.points());
  for (const Width* width : asked_) squares_ += width->smooth;
  return smooth_(squares_);
}

double TimeTable::steps_log(const std::vector<std::int64_t>& features) {
  const TimeMap::Parts& parts = map_.parts();
  if (masks_.empty()) return parts.steps(tile_features(features, parts.taps));
  leaves_ = asked_.empty() ? masks_.all() : asked_.front()->leaves;
  others_.clear();
  for (std::size_t i = 1; i < asked_.size(); ++i) others_.push_back(&asked_[i]->leaves);
  const Eigen::VectorXd joint = joint_tile_features(features);
  for (std::size_t i = 0; i < joint_.size(); ++i) {
    const std::vector<double>& cuts = joint_[i].cuts;
    const auto below =
        std::lower_bound(cuts.begin(), cuts.end(), joint[static_cast<Index>(i)]) - cuts.begin();
    others_.push_back(&joint_[i].leaves[static_cast<std::size_t>(below)]);
  }
  return masks_.sum(parts.steps.start(), leaves_, others_);
}

}  // namespace ampere
