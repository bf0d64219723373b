#include "base/nonnegative.h"

#include <cmath>
#include <vector>

namespace ampere {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kStill = 1e-11;  // of the largest gradient at 0: less is none
constexpr Index kMostSteps = 10;  // for each coefficient

// Minimises xᵀNx/2 − tᵀx over x ≥ 0 by Lawson's and Hanson's active sets; N has ones on its
// diagonal, or zeros for columns of zeros.
class ActiveSet {
 public:
  ActiveSet(MatrixXd normal, VectorXd target)
      : normal_(std::move(normal)),
        target_(std::move(target)),
        x_(VectorXd::Zero(target_.size())),
        free_(static_cast<std::size_t>(x_.size()), false) {}

  VectorXd solve() {
    for (Index step = 0; step < kMostSteps * x_.size(); ++step) {
      const Index next = steepest();
      if (next < 0) break;
      free_[static_cast<std::size_t>(next)] = true;
      while (!move()) {
      }
    }
    return x_;
  }

 private:
  // The coefficient at 0 that wants to grow most, -1 when none does.
  Index steepest() const {
    const VectorXd gradient = target_ - normal_ * x_;
    Index best = -1;
    double most = kStill * target_.cwiseAbs().maxCoeff();
    for (Index j = 0; j < x_.size(); ++j) {
      if (free_[static_cast<std::size_t>(j)] || normal_(j, j) <= 0 || gradient[j] <= most) continue;
      most = gradient[j];
      best = j;
    }
    return best;
  }

  // To the minimum over the free ones, or to where the first of them becomes 0; true when it was
  // reached.
  bool move() {
    std::vector<Index> at;
    for (Index j = 0; j < x_.size(); ++j)
      if (free_[static_cast<std::size_t>(j)]) at.push_back(j);
    if (at.empty()) return true;
    const VectorXd wish = normal_(at, at).ldlt().solve(target_(at));
    double way = 1;
    Index first = -1;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const double here = x_[at[i]], there = wish[static_cast<Index>(i)];
      if (there > 0 || here / (here - there) >= way) continue;
      way = here / (here - there);
      first = at[i];
    }
    x_(at) += way * (wish - x_(at));
    if (first < 0) return true;
    x_[first] = 0;
    free_[static_cast<std::size_t>(first)] = false;
    return false;
  }

  MatrixXd normal_;
  VectorXd target_, x_;
  std::vector<bool> free_;
};

}  // namespace

VectorXd nonnegative_least_squares(const MatrixXd& a, const VectorXd& b, const VectorXd& ridge,
                                   const VectorXd& prior) {
  if (a.cols() == 0) return VectorXd(0);
  MatrixXd normal = a.transpose() * a;
  normal.diagonal() += ridge;
  const VectorXd scale = normal.diagonal().unaryExpr(
      [](double curvature) { return curvature > 0 ? 1 / std::sqrt(curvature) : 0; });
  const VectorXd target = a.transpose() * b + ridge.cwiseProduct(prior);
  ActiveSet problem(scale.asDiagonal() * normal * scale.asDiagonal(), scale.cwiseProduct(target));
  return scale.cwiseProduct(problem.solve());
}

}  // namespace ampere
