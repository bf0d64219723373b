#include "widths/width_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "ampere/error.h"
#include "base/parallel.h"
#include "estimate/interval.h"

namespace ampere {
namespace {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();
constexpr double kWhole = 1e-9;        // a width nearer than this to a whole one is whole
constexpr double kMostChannels = 1e7;  // more is a mistake
constexpr double kUsualConfidence = 0.9;

struct Known {
  double energy_j = kNotKnown, energy_sd = kNotKnown, time_s = kNotKnown;
  double low_j = kNotKnown, high_j = kNotKnown;  // where the judge has an interval of its own
};

Known operator-(const Known& a, const Known& b) {
  return {a.energy_j - b.energy_j, a.energy_sd - b.energy_sd, a.time_s - b.time_s,
          a.low_j - b.low_j, a.high_j - b.high_j};
}

void add(Known& sum, double share, const Known& step) {
  sum.energy_j += share * step.energy_j;
  sum.energy_sd += share * step.energy_sd;
  sum.time_s += share * step.time_s;
  sum.low_j += share * step.low_j;
  sum.high_j += share * step.high_j;
}

// One point at a time, with one judge.
class PointCost {
 public:
  // With a confidence, intervals are asked for that are not normal.
  PointCost(const std::vector<ChannelGroup>& widths, WidthJudge& judge,
            std::optional<double> confidence)
      : widths_(widths),
        judge_(judge),
        confidence_(confidence),
        corner_(widths.size()),
        shares_(widths.size()) {
    order_.reserve(widths.size());
  }

  // That this point is the next one.
  void expect(std::span<const double> point) {
    split(point);
    judge_.expect(corner_);
  }

  // `gradient` is empty or has one number per width.
  Known at(std::span<const double> point, std::span<double> gradient) {
    split(point);
    const Known first = judge();
    Known value = first, before = first;
    // From the lowest corner of the simplex to the highest, one width after the other.
    for (const std::size_t i : order_) {
      corner_[i] += widths_[i].multiple_of;
      const Known after = judge();
      const Known step = after - before;
      add(value, shares_[i], step);
      if (!gradient.empty())
        gradient[i] = step.energy_j / static_cast<double>(widths_[i].multiple_of);
      before = after;
    }
    if (gradient.empty()) return value;
    for (const std::size_t i : order_) corner_[i] -= widths_[i].multiple_of;
    for (std::size_t i = 0; i < widths_.size(); ++i)
      if (shares_[i] == 0) gradient[i] = slope(i, first.energy_j);
    return value;
  }

 private:
  void split(std::span<const double> point) {
    order_.clear();
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      const double units = point[i] / static_cast<double>(widths_[i].multiple_of);
      const double nearest = std::round(units);
      const bool whole = std::abs(units - nearest) < kWhole;
      const double below = whole ? nearest : std::floor(units);
      corner_[i] = static_cast<std::int64_t>(below) * widths_[i].multiple_of;
      shares_[i] = whole ? 0 : units - below;
      if (!whole) order_.push_back(i);
    }
    std::ranges::stable_sort(order_, std::greater{}, [&](std::size_t i) { return shares_[i]; });
  }

  Known judge() {
    const std::optional<Judgement> judged = judge_.judge(corner_);
    if (!judged) return {};
    Known known{judged->energy_j, judged->energy_sd, judged->time_s.value_or(kNotKnown)};
    if (!confidence_) return known;
    if (const auto interval = judge_.energy_interval(corner_, *confidence_))
      known.low_j = interval->low, known.high_j = interval->high;
    return known;
  }

  // The mean of both sides, or the one that is known.
  double slope(std::size_t i, double here) {
    const std::int64_t step = widths_[i].multiple_of;
    const auto beside = [&](std::int64_t more) {
      if (corner_[i] + more < step) return kNotKnown;
      corner_[i] += more;
      const double energy = judge().energy_j;
      corner_[i] -= more;
      return energy;
    };
    const double below = beside(-step), above = beside(step);
    const bool has_below = !std::isnan(below), has_above = !std::isnan(above);
    if (!has_below && !has_above) return kNotKnown;
    return ((has_above ? above : here) - (has_below ? below : here)) /
           (static_cast<double>(step) * ((has_below ? 1 : 0) + (has_above ? 1 : 0)));
  }

  const std::vector<ChannelGroup>& widths_;
  WidthJudge& judge_;
  std::optional<double> confidence_;
  std::vector<std::int64_t> corner_;
  std::vector<double> shares_;
  std::vector<std::size_t> order_;  // of the widths that are not whole, the largest share first
};

}  // namespace

WidthCost::WidthCost(const Model& model, std::vector<std::unique_ptr<WidthJudge>> judges)
    : widths_(free_widths(model)), judges_(std::move(judges)) {
  if (widths_.empty())
    throw Error(ErrorCode::usage,
                fmt::format("{} has no width that is free: its channels follow from its data and "
                            "its classes",
                            model.name()));
  for (const auto& judge : judges_) judge->tabulate();
}

void WidthCost::check(std::span<const double> points) const {
  if (points.size() % widths_.size() != 0)
    throw Error(ErrorCode::usage, fmt::format("{} numbers are no points of {} widths each",
                                              points.size(), widths_.size()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ChannelGroup& width = widths_[i % widths_.size()];
    if (!(std::isfinite(points[i]) && points[i] <= kMostChannels &&
          points[i] >= static_cast<double>(width.multiple_of) - kWhole))
      throw Error(ErrorCode::usage,
                  fmt::format("point {}: {} is no width of {}, which is at least {}",
                              i / widths_.size(), points[i], width.name, width.multiple_of));
  }
}

WidthCost::Values WidthCost::at(std::span<const double> points, const Wish& wish) {
  check(points);
  if (wish.confidence && !(*wish.confidence > 0 && *wish.confidence < 1))
    throw Error(ErrorCode::usage,
                fmt::format("a confidence of {} is not between 0 and 1", *wish.confidence));
  const std::size_t size = widths_.size(), count = points.size() / size;
  Values values;
  values.energy_j.resize(count), values.energy_sd.resize(count), values.time_s.resize(count);
  if (wish.gradients) values.gradient.resize(points.size());
  if (wish.confidence) values.energy_low_j.resize(count), values.energy_high_j.resize(count);
  std::vector<std::int64_t> own;
  for (const ChannelGroup& width : widths_) own.push_back(width.value);
  values.normal_intervals = !judges_.front()->energy_interval(own, kUsualConfidence);
  const std::size_t threads = std::min(judges_.size(), std::max<std::size_t>(1, count));
  in_parallel(threads, [&](std::size_t thread) {
    PointCost cost(widths_, *judges_[thread],
                   values.normal_intervals ? std::nullopt : wish.confidence);
    const std::size_t end = (thread + 1) * count / threads;
    for (std::size_t i = thread * count / threads; i < end; ++i) {
      if (i + 1 < end) cost.expect(points.subspan((i + 1) * size, size));
      const std::span gradient =
          wish.gradients ? std::span(values.gradient).subspan(i * size, size) : std::span<double>();
      const Known known = cost.at(points.subspan(i * size, size), gradient);
      values.energy_j[i] = known.energy_j;
      values.energy_sd[i] = known.energy_sd;
      values.time_s[i] = known.time_s;
      if (!wish.confidence) continue;
      values.energy_low_j[i] = known.low_j, values.energy_high_j[i] = known.high_j;
      if (!values.normal_intervals) continue;
      const Interval normal = normal_interval({known.energy_j, known.energy_sd}, *wish.confidence);
      values.energy_low_j[i] = normal.low, values.energy_high_j[i] = normal.high;
    }
  });
  return values;
}

}  // namespace ampere
