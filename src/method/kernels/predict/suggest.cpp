#include <algorithm>
#include <cmath>
#include <numeric>

#include "method/kernels/predict/feature_rows.h"

namespace ampere {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kNeighbours = 3;
constexpr std::size_t kMostCompared = 500;  // candidates that are weighed against each other

// How far the predictor missed the rows around, root mean square; features over their range.
double error_near(const KernelFit& fit, const VectorXd& at, const VectorXd& ranges) {
  const MatrixXd apart = (fit.seen.rowwise() - at.transpose()) * ranges.cwiseInverse().asDiagonal();
  const VectorXd distances = apart.rowwise().squaredNorm();
  std::vector<Index> order(static_cast<std::size_t>(distances.size()));
  std::iota(order.begin(), order.end(), Index{0});
  const Index count = std::min(kNeighbours, distances.size());
  std::ranges::partial_sort(order, order.begin() + count, {},
                            [&](Index row) { return distances[row]; });
  double squares = 0;
  for (Index i = 0; i < count; ++i)
    squares += std::pow(fit.errors[order[static_cast<std::size_t>(i)]], 2);
  return std::sqrt(squares / static_cast<double>(std::max<Index>(1, count)));
}

VectorXd ranges_of(const MatrixXd& rows) {
  const VectorXd range = rows.colwise().maxCoeff() - rows.colwise().minCoeff();
  return (range.array() > 0).select(range, 1);
}

bool is_seen(const KernelFit& fit, const VectorXd& at) {
  for (Index row = 0; row < fit.seen.rows(); ++row)
    if (fit.seen.row(row).transpose() == at) return true;
  return false;
}

struct Candidates {
  std::vector<std::size_t> pool;  // indices
  std::vector<KernelConfig> configs;
};

Candidates candidates_of(const KernelFit& fit, std::span<const Kernel> pool) {
  Candidates candidates;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    if (pool[i].type != fit.type) continue;
    candidates.pool.push_back(i);
    candidates.configs.push_back(pool[i].config);
  }
  return candidates;
}

// The uncertainty and the error nearby of each, relative; 0 for what was measured.
VectorXd need_of(const KernelFit& fit, const FeatureRows& rows) {
  VectorXd mean, stddev;
  fit.energy->predict(rows, mean, stddev);
  const VectorXd ranges = ranges_of(fit.seen);
  VectorXd need(rows.size());
  for (Index i = 0; i < rows.size(); ++i) {
    const VectorXd at = rows.logs.row(i);
    need[i] = is_seen(fit, at) ? 0 : std::hypot(stddev[i] / mean[i], error_near(fit, at, ranges));
  }
  return need;
}

std::vector<Index> neediest(const VectorXd& need) {
  std::vector<Index> order;
  for (Index i = 0; i < need.size(); ++i)
    if (need[i] > 0) order.push_back(i);
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](Index i) { return need[i]; });
  if (order.size() > kMostCompared) order.resize(kMostCompared);
  return order;
}

}  // namespace

// One after the other; what is correlated with one that is chosen will be known from it, and is
// needed less by as much: its variance falls by 1 − ρ².
std::vector<std::size_t> suggest_kernels(const KernelFit& fit, std::span<const Kernel> pool,
                                         std::size_t count) {
  const Candidates candidates = candidates_of(fit, pool);
  if (candidates.pool.empty() || count == 0) return {};
  const FeatureRows rows = feature_rows(fit, candidates.configs);
  const VectorXd all = need_of(fit, rows);
  const std::vector<Index> order = neediest(all);
  const MatrixXd covariance = fit.energy->covariance(rows.at(order));
  VectorXd need = all(order);
  std::vector<std::size_t> chosen;
  while (chosen.size() < std::min(count, order.size())) {
    Index best = 0;
    need.maxCoeff(&best);
    chosen.push_back(
        candidates.pool[static_cast<std::size_t>(order[static_cast<std::size_t>(best)])]);
    for (Index i = 0; i < need.size(); ++i) {
      const double power = covariance(i, i) * covariance(best, best);
      const double shared = power > 0 ? covariance(i, best) * covariance(i, best) / power : 0;
      need[i] *= std::sqrt(std::max(0.0, 1 - shared));
    }
    need[best] = -1;
  }
  return chosen;
}

}  // namespace ampere
