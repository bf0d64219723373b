// Points laid out so that their Matérn 5/2 correlations with other points are found several at a
// time.
#pragma once

#include <Eigen/Dense>

namespace ampere {

class MaternRows {
 public:
  static constexpr Eigen::Index kColumns = 5;
  using Point = Eigen::Matrix<double, kColumns, 1>;  // from scale_for_matern, filled up with zeros

  explicit MaternRows(Eigen::Index count = 0);  // all points are 0 at first
  void set(Eigen::Index row, const Point& point) { rows_.row(row) = point.transpose().array(); }

  // sums()[i] += factor · correlation of point i and `at`. Serves one thread.
  void add(const Point& at, double factor);
  auto sums() const { return sums_.head(count_); }
  void clear() { sums_.setZero(); }

 private:
  // Filled up with zeros, so that no point is left over when several are done at a time.
  Eigen::Index count_ = 0;
  Eigen::Array<double, Eigen::Dynamic, kColumns> rows_;
  Eigen::ArrayXd distances_, sums_;
};

}  // namespace ampere
