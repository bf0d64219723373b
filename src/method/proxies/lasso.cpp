#include "method/proxies/lasso.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ampere {
namespace {

constexpr int kPenalties = 100;
constexpr double kSmallestShare = 1e-3;  // of the largest penalty
constexpr int kMostSweeps = 1000;
constexpr double kConverged = 1e-6;  // change of a weight, as a share of the largest
constexpr Eigen::Index kFewestRows = 4;

// Coordinate descent over centred data, from one penalty to the next smaller one:
// w_j ← S(g_j − Σ_{k≠j} G_jk·w_k, α) / G_jj, with G = XᵀX/n, g = Xᵀy/n, S the soft threshold.
class Descent {
 public:
  Descent(const Eigen::MatrixXd& x, const Eigen::VectorXd& y)
      : gram_(x.transpose() * x / static_cast<double>(x.rows())),
        target_(x.transpose() * y / static_cast<double>(x.rows())),
        weights_(Eigen::VectorXd::Zero(x.cols())),
        gradient_(target_) {}

  double largest_penalty() const { return target_.cwiseAbs().maxCoeff(); }

  // Between sweeps over all weights only those in use are moved: they are few.
  const Eigen::VectorXd& descend(double penalty) {
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      const bool all = sweep % 10 == 0;
      double moved = 0;
      for (Eigen::Index j = 0; j < weights_.size(); ++j)
        if (all || weights_[j] != 0) moved = std::max(moved, move(j, penalty));
      if (moved <= kConverged * weights_.cwiseAbs().maxCoeff()) {
        if (all) break;
        sweep += 9 - sweep % 10;
      }
    }
    return weights_;
  }

 private:
  double move(Eigen::Index j, double penalty) {
    const double curvature = gram_(j, j);
    if (curvature <= 0) return 0;
    const double wished = gradient_[j] + curvature * weights_[j];
    const double shrunk = std::copysign(std::max(0.0, std::abs(wished) - penalty), wished);
    const double change = shrunk / curvature - weights_[j];
    if (change == 0) return 0;
    weights_[j] += change;
    gradient_ -= change * gram_.col(j);
    return std::abs(change);
  }

  Eigen::MatrixXd gram_;
  Eigen::VectorXd target_, weights_, gradient_;  // gradient_ = g − G·w
};

struct Centred {
  Eigen::MatrixXd x;
  Eigen::VectorXd y;
  Eigen::RowVectorXd x_mean;
  double y_mean = 0;
};

Centred centre(const Eigen::MatrixXd& x, const Eigen::VectorXd& y) {
  const Eigen::RowVectorXd x_mean = x.colwise().mean();
  const double y_mean = y.mean();
  return {x.rowwise() - x_mean, y.array() - y_mean, x_mean, y_mean};
}

std::vector<double> penalties_below(double largest) {
  std::vector<double> penalties(kPenalties);
  for (int i = 0; i < kPenalties; ++i)
    penalties[i] = largest * std::pow(kSmallestShare, i / (kPenalties - 1.0));
  return penalties;
}

// Squared error of the rows [begin, end), predicted from all the others, added for each penalty.
void add_errors(const Eigen::MatrixXd& x, const Eigen::VectorXd& y, Eigen::Index begin,
                Eigen::Index end, const std::vector<double>& penalties, Eigen::VectorXd& errors) {
  const Eigen::Index kept = x.rows() - (end - begin);
  Eigen::MatrixXd train_x(kept, x.cols());
  Eigen::VectorXd train_y(kept);
  train_x << x.topRows(begin), x.bottomRows(x.rows() - end);
  train_y << y.head(begin), y.tail(y.size() - end);
  const Centred train = centre(train_x, train_y);
  Descent descent(train.x, train.y);
  const Eigen::MatrixXd held_x = x.middleRows(begin, end - begin).rowwise() - train.x_mean;
  const Eigen::VectorXd held_y = y.segment(begin, end - begin).array() - train.y_mean;
  for (std::size_t i = 0; i < penalties.size(); ++i)
    errors[static_cast<Eigen::Index>(i)] +=
        (held_y - held_x * descent.descend(penalties[i])).squaredNorm() /
        static_cast<double>(end - begin);
}

double choose_penalty(const Eigen::MatrixXd& x, const Eigen::VectorXd& y, int folds,
                      const std::vector<double>& penalties) {
  const Eigen::Index count = std::min<Eigen::Index>(folds, x.rows());
  Eigen::VectorXd errors = Eigen::VectorXd::Zero(kPenalties);
  Eigen::Index begin = 0;
  for (Eigen::Index fold = 0; fold < count; ++fold) {
    const Eigen::Index end = begin + x.rows() / count + (fold < x.rows() % count ? 1 : 0);
    add_errors(x, y, begin, end, penalties, errors);
    begin = end;
  }
  Eigen::Index best = 0;
  errors.minCoeff(&best);
  return penalties[static_cast<std::size_t>(best)];
}

}  // namespace

LinearModel fit_lasso(const Eigen::MatrixXd& x, const Eigen::VectorXd& y, int folds) {
  LinearModel model{Eigen::VectorXd::Zero(x.cols()), y.mean()};
  if (x.rows() < kFewestRows) return model;
  Centred data = centre(x, y);
  Eigen::RowVectorXd scale = (data.x.colwise().squaredNorm() / x.rows()).cwiseSqrt();
  for (Eigen::Index j = 0; j < scale.size(); ++j)
    scale[j] = scale[j] > 1e-12 * std::abs(data.x_mean[j]) ? 1 / scale[j] : 0;
  data.x = data.x * scale.asDiagonal();

  Descent descent(data.x, data.y);
  if (descent.largest_penalty() <= 0) return model;
  const std::vector<double> penalties = penalties_below(descent.largest_penalty());
  const double chosen = choose_penalty(data.x, data.y, folds, penalties);
  for (const double penalty : penalties) {
    if (penalty < chosen) break;
    descent.descend(penalty);
  }
  model.coefficients = descent.descend(chosen).cwiseProduct(scale.transpose());
  model.intercept = data.y_mean - data.x_mean.dot(model.coefficients);
  return model;
}

}  // namespace ampere
