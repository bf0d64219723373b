// Chooses the points at which one block kind is measured: first corners of the range of its
// features, then the points where the Gaussian process is least certain.
#pragma once

#include <Eigen/Dense>
#include <optional>
#include <set>
#include <vector>

#include "method/ampere/fit.h"
#include "method/ampere/profile.h"

namespace ampere {

class KindSearch {
 public:
  using Features = std::vector<std::int64_t>;

  // `known` are the stored observations of this kind. `fits` holds the fits of its companions and
  // must outlive the search.
  KindSearch(const PlannedKind& planned, const KindOptions& options, std::vector<Observation> known,
             const Fits& fits);

  // Returns the next point to measure, or nothing when one of the three stop rules holds: enough
  // points, certain enough, or no candidate left. Kinds of up to three features begin with all
  // corners, others with corners for at most half of the points and one point in the middle.
  std::optional<Features> suggest() const;
  void tell(Observation observation);

  const std::optional<KindFit>& fit() const { return fit_; }  // absent before the first success
  int points() const { return points_; }
  int failures() const { return failures_; }
  int limit() const { return limit_; }
  std::optional<double> uncertainty() const;  // largest standard deviation over the mean

 private:
  void take(const Observation& observation);
  void refit();
  void limit_corners();
  bool within(const Features& features) const;

  PlannedKind planned_;
  KindOptions options_;
  const Fits& fits_;
  std::vector<Observation> observations_;
  std::vector<Features> first_;       // asked for before any other, in this order
  std::vector<Features> candidates_;  // all points that may be asked for, first_ among them
  Eigen::MatrixXd candidate_rows_;
  std::set<Features> postponed_;  // corners that are asked for when nothing else is left
  std::set<Features> tried_;
  std::optional<KindFit> fit_;
  Eigen::VectorXd deviation_;  // of each candidate, under the guiding process
  double scale_ = 0;           // mean size of the profiled data
  int limit_ = 0, least_ = 0, points_ = 0, failures_ = 0;
};

}  // namespace ampere
