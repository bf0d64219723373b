// The mean of a Gaussian process for questions that share columns: what the values of some columns
// add to the distances is found once, and then used in all questions that have them.
#pragma once

#include <Eigen/Dense>

#include "gp/gp_mean.h"

namespace ampere {

class SplitGpMean {
 public:
  explicit SplitGpMean(const GpMean& mean);

  // Of the distances to all points, by the values of the columns from `first` on.
  Eigen::ArrayXd squares(Eigen::Index first, const Eigen::VectorXd& values) const;
  // From their sum over all columns, which is overwritten.
  double operator()(Eigen::Ref<Eigen::ArrayXd> squares) const;

  // Points that distances are found to: those of the process, and some without weight.
  Eigen::Index points() const { return weights_.size(); }

 private:
  double constant_, variance_;
  Eigen::VectorXd length_scales_;
  Eigen::MatrixXd scaled_x_;
  Eigen::VectorXd weights_;
};

}  // namespace ampere
