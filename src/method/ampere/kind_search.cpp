#include "method/ampere/kind_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "method/ampere/fit.h"

namespace ampere {
namespace {

using Features = KindSearch::Features;

// Candidates form a grid; it is as fine as keeps the grid small enough to search in no time.
int levels_for(std::size_t dimensions) {
  switch (dimensions) {
    case 1:
      return 96;
    case 2:
      return 24;
    case 3:
      return 9;
    default:
      return 5;
  }
}

std::vector<std::int64_t> levels(std::int64_t step, std::int64_t upper, int count) {
  const std::int64_t highest = std::max(step, upper / step * step);
  std::vector<std::int64_t> values;
  for (int i = 0; i < count; ++i) {
    const double share = count == 1 ? 1.0 : static_cast<double>(i) / (count - 1);
    const auto steps = std::llround(share * static_cast<double>(highest / step - 1));
    values.push_back(step + steps * step);
  }
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::vector<Features> grid(const PlannedKind& planned, int count) {
  std::vector<Features> points{{}};
  for (std::size_t axis = 0; axis < planned.upper.size(); ++axis) {
    std::vector<Features> longer;
    for (const Features& point : points)
      for (const std::int64_t value :
           levels(planned.kind->features[axis].multiple_of, planned.upper[axis], count)) {
        longer.push_back(point);
        longer.back().push_back(value);
      }
    points = std::move(longer);
  }
  return points;
}

// A kind with d features has 2^d corners. From four features on they would use up most or all of
// the points, and the curvature shows only between them.
constexpr std::size_t kMostFeaturesWithAllCorners = 3;

std::size_t differences(const Features& one, const Features& other) {
  std::size_t count = 0;
  for (std::size_t axis = 0; axis < one.size(); ++axis) count += one[axis] != other[axis] ? 1 : 0;
  return count;
}

// Chooses `count` corners that are far from one another: the first one, then always the one that
// differs in most features from the nearest of those chosen before it. The corner opposite to the
// first comes second.
std::vector<Features> spread_out(const std::vector<Features>& corners, std::size_t count) {
  std::vector<Features> chosen;
  std::vector<std::size_t> nearest(corners.size(), std::numeric_limits<std::size_t>::max());
  while (chosen.size() < std::min(count, corners.size())) {
    const auto farthest = std::ranges::max_element(nearest) - nearest.begin();
    chosen.push_back(corners[static_cast<std::size_t>(farthest)]);
    for (std::size_t i = 0; i < corners.size(); ++i)
      nearest[i] = std::min(nearest[i], differences(corners[i], chosen.back()));
  }
  return chosen;
}

// Of these points, the one nearest to the middle of the range.
const Features& innermost(const std::vector<Features>& points, const Features& upper) {
  const auto off_centre = [&](const Features& point) {
    double squares = 0;
    for (std::size_t axis = 0; axis < upper.size(); ++axis)
      squares +=
          std::pow(static_cast<double>(point[axis]) / static_cast<double>(upper[axis]) - 0.5, 2);
    return squares;
  };
  return *std::ranges::min_element(points, {}, off_centre);
}

}  // namespace

KindSearch::KindSearch(const PlannedKind& planned, const KindOptions& options,
                       std::vector<Observation> known, const Fits& fits)
    : planned_(planned),
      options_(options),
      fits_(fits),
      first_(grid(planned, 2)),
      candidates_(grid(planned, levels_for(planned.upper.size()))) {
  if (options_.allowed) {
    const auto refused = [this](const Features& features) {
      return !options_.allowed(make_variant(*planned_.kind, features, planned_.companions));
    };
    std::erase_if(first_, refused);
    std::erase_if(candidates_, refused);
  }
  const auto dimensions = static_cast<int>(planned_.upper.size());
  limit_ = dimensions == 0 ? 1 : dimensions == 1 ? (options_.points + 2) / 3 : options_.points;
  limit_ = std::min(limit_, static_cast<int>(candidates_.size()));
  if (planned_.upper.size() > kMostFeaturesWithAllCorners && !candidates_.empty()) limit_corners();
  // A process fitted to the corners alone knows nothing of the curvature between them: its own
  // uncertainty is not to be believed before a few inner points.
  least_ = std::min(limit_, static_cast<int>(first_.size()) + 2 * dimensions);
  candidate_rows_.resize(static_cast<Eigen::Index>(candidates_.size()), dimensions);
  for (std::size_t row = 0; row < candidates_.size(); ++row)
    std::ranges::copy(candidates_[row],
                      candidate_rows_.row(static_cast<Eigen::Index>(row)).begin());

  for (const Observation& observation : known) take(observation);
  observations_ = std::move(known);
  refit();
}

void KindSearch::limit_corners() {
  postponed_ = {first_.begin(), first_.end()};
  first_ = spread_out(first_, static_cast<std::size_t>(std::max(2, limit_ / 2)));
  for (const Features& corner : first_) postponed_.erase(corner);
  first_.push_back(innermost(candidates_, planned_.upper));
}

bool KindSearch::within(const Features& features) const {
  return std::ranges::equal(features, planned_.upper, std::ranges::less_equal{});
}

void KindSearch::take(const Observation& observation) {
  if (!tried_.insert(observation.features).second || !within(observation.features)) return;
  ++(observation.measurement ? points_ : failures_);
}

void KindSearch::tell(Observation observation) {
  take(observation);
  observations_.push_back(std::move(observation));
  refit();
}

void KindSearch::refit() {
  if (std::ranges::none_of(observations_,
                           [](const Observation& o) { return o.measurement.has_value(); }))
    return;
  fit_ = fit_kind(*planned_.kind, observations_, fits_);
  const GaussianProcess& guide = options_.guide == Guide::energy ? fit_->energy : fit_->time;
  Eigen::VectorXd mean;
  guide.predict(candidate_rows_, mean, deviation_);
  deviation_ = deviation_.cwiseSqrt();
  scale_ = guide.y().cwiseAbs().mean();
}

std::optional<double> KindSearch::uncertainty() const {
  if (!fit_ || scale_ <= 0 || deviation_.size() == 0) return std::nullopt;
  return deviation_.maxCoeff() / scale_;
}

std::optional<KindSearch::Features> KindSearch::suggest() const {
  // A kind that fails everywhere must end too: failures use up tries like points do.
  if (points_ >= limit_ || failures_ >= limit_) return std::nullopt;
  for (const Features& point : first_)
    if (!tried_.contains(point)) return point;
  if (!fit_) return std::nullopt;
  if (points_ >= least_ && uncertainty() && *uncertainty() < options_.tolerance)
    return std::nullopt;

  // The process knows least at the postponed corners: without this preference it would ask for them
  // before any point between them.
  const Features* most_uncertain = nullptr;
  std::pair<bool, double> best{false, -1};
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (tried_.contains(candidates_[i])) continue;
    const std::pair<bool, double> preference{!postponed_.contains(candidates_[i]),
                                             deviation_[static_cast<Eigen::Index>(i)]};
    if (preference > best) {
      best = preference;
      most_uncertain = &candidates_[i];
    }
  }
  if (most_uncertain == nullptr) return std::nullopt;
  return *most_uncertain;
}

}  // namespace ampere
