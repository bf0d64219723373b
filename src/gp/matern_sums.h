// Weighted sums of Matérn 5/2 covariances with one point, group by group: what a process says of a
// point when it was conditioned on sums of its values.
#pragma once

#include <Eigen/Dense>
#include <span>
#include <vector>

namespace ampere {

class MaternSums {
 public:
  MaternSums() = default;
  // Rows of x are from scale_for_matern. Group i has the rows before ends[i] that no group before
  // it has.
  MaternSums(const Eigen::MatrixXd& x, const Eigen::VectorXd& weights,
             std::span<const Eigen::Index> ends);

  Eigen::Index groups() const { return static_cast<Eigen::Index>(ends_.size()); }

  // sums[i] = Σ over the rows of group i of weight · variance · correlation of the row and `at`,
  // which has one number per column of x. Serves one thread.
  void operator()(const double* at, double variance, double* sums);

 private:
  // Groups are filled up to multiples of eight rows, with weights of 0.
  Eigen::ArrayXXd rows_;
  Eigen::ArrayXd weights_, terms_;
  std::vector<Eigen::Index> ends_;  // of the groups that are filled up
};

}  // namespace ampere
