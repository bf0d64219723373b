// Weighted sums of Matérn 5/2 covariances with points, group by group: what a process says of them
// when it was conditioned on sums of its values.
#pragma once

#include <Eigen/Dense>
#include <span>
#include <vector>

#include "gp/matern_rows.h"

namespace ampere {

class MaternSums {
 public:
  using Point = MaternRows::Point;

  MaternSums() = default;
  // Rows of x are from scale_for_matern, with MaternRows::kColumns columns at most. Group i has the
  // rows before ends[i] that no group before it has.
  MaternSums(const Eigen::MatrixXd& x, const Eigen::VectorXd& weights,
             std::span<const Eigen::Index> ends);

  Eigen::Index groups() const { return static_cast<Eigen::Index>(ends_.size()); }

  // What the process says of a weighted sum of points: each point is added with its factor, then
  // take() writes sums[i] = Σ over these points and the rows of group i of factor · weight ·
  // variance · correlation, and forgets the points. Serves one thread.
  void add(const Point& at, double factor) { rows_.add(at, factor); }
  void take(double variance, double* sums);

 private:
  MaternRows rows_;
  Eigen::VectorXd weights_;
  std::vector<Eigen::Index> ends_;
};

}  // namespace ampere
