#include "gp/matern_sums.h"

namespace ampere {

using Eigen::Index;

MaternSums::MaternSums(const Eigen::MatrixXd& x, const Eigen::VectorXd& weights,
                       std::span<const Index> ends)
    : rows_(x.rows()), weights_(weights), ends_(ends.begin(), ends.end()) {
  for (Index i = 0; i < x.rows(); ++i) {
    Point point = Point::Zero();
    point.head(x.cols()) = x.row(i).transpose();
    rows_.set(i, point);
  }
}

void MaternSums::take(double variance, double* sums) {
  Index first = 0;
  for (const Index end : ends_) {
    const Index count = end - first;
    *sums++ =
        variance * weights_.segment(first, count).dot(rows_.sums().matrix().segment(first, count));
    first = end;
  }
  rows_.clear();
}

}  // namespace ampere
