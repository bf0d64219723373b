// Choosing the points of one kind: corners first, then where the Gaussian process knows least.
#pragma once

#include <Eigen/Dense>
#include <optional>
#include <set>
#include <vector>

#include "method/ampere/fit.h"
#include "method/ampere/profile.h"

namespace ampere {

class Campaign {
 public:
  using Features = std::vector<std::int64_t>;

  // `known` is what the store has for this kind, `fits` what its companions are known to cost;
  // the latter must outlive the campaign.
  Campaign(const PlannedKind& planned, const ProfileOptions& options,
           std::vector<Observation> known, const Fits& fits);

  // The next point to measure; nothing when one of the three stop rules holds: enough points,
  // certain enough, or no candidate left.
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
  bool within(const Features& features) const;

  PlannedKind planned_;
  ProfileOptions options_;
  const Fits& fits_;
  std::vector<Observation> observations_;
  std::vector<Features> corners_, candidates_;
  Eigen::MatrixXd candidate_rows_;
  std::set<Features> tried_;
  std::optional<KindFit> fit_;
  Eigen::VectorXd deviation_;  // of each candidate, under the guiding process
  double scale_ = 0;           // mean size of the profiled data
  int limit_ = 0, least_ = 0, points_ = 0, failures_ = 0;
};

}  // namespace ampere
