#include "gp/split_gp_mean.h"

#include "gp/eight_at_a_time.h"
#include "gp/matern.h"

namespace ampere {

SplitGpMean::SplitGpMean(const GpMean& mean)
    : constant_(mean.constant()),
      variance_(mean.signal_variance()),
      length_scales_(mean.length_scales()),
      scaled_x_(scale_for_matern(mean.x(), length_scales_)),
      weights_(mean.weights()) {
  const Eigen::Index filled = filled_up(weights_.size());
  scaled_x_.conservativeResizeLike(Eigen::MatrixXd::Zero(filled, scaled_x_.cols()));
  weights_.conservativeResizeLike(Eigen::VectorXd::Zero(filled));
}

Eigen::ArrayXd SplitGpMean::squares(Eigen::Index first, const Eigen::VectorXd& values) const {
  Eigen::ArrayXd sum = Eigen::ArrayXd::Zero(points());
  if (points() == 0) return sum;
  const Eigen::MatrixXd scaled =
      scale_for_matern(values.transpose(), length_scales_.segment(first, values.size()));
  for (Eigen::Index i = 0; i < values.size(); ++i)
    sum += (scaled_x_.col(first + i).array() - scaled(0, i)).square();
  return sum;
}

double SplitGpMean::operator()(Eigen::Ref<Eigen::ArrayXd> squares) const {
  if (points() == 0) return constant_;
  correlate_squares(squares.data(), squares.size(), variance_);
  return constant_ + squares.matrix().dot(weights_);
}

}  // namespace ampere
