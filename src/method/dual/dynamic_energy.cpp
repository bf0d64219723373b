#include "method/dual/dynamic_energy.h"

#include <algorithm>
#include <cmath>

#include "gp/matern.h"

namespace ampere {

using Eigen::Index;

DynamicEnergy::DynamicEnergy(const EnergyLaw& law)
    : law_(law), scale_(std::sqrt(5.0) / law.process.length_scale) {
  Index rows = 0;
  for (const PowerTerms& network : law.seen) ends_.push_back(rows += network.device_s.size());
  device_s_.resize(rows), pulls_.resize(rows);
  seen_.resize(rows, law.seen.empty() ? 0 : law.seen.front().z.cols());
  Index row = 0;
  for (std::size_t i = 0; i < law.seen.size(); ++i) {
    const PowerTerms& network = law.seen[i];
    const Index count = network.device_s.size();
    seen_.middleRows(row, count) = scale_ * network.z;
    device_s_.segment(row, count) = network.device_s;
    pulls_.segment(row, count) = law.weights[static_cast<Index>(i)] * network.device_s;
    row += count;
  }
  with_seen_.resize(static_cast<Index>(ends_.size()));
}

void DynamicEnergy::begin(Index blocks) {
  if (by_block_.size() == blocks) return;
  resize(terms_, blocks);
  by_block_.resize(blocks);
}

void DynamicEnergy::set(Index block, const PowerBlock& power, double device_s) {
  set_row(terms_, block, power, device_s);
  by_block_[block] = law_.summed(terms_.device_s[block], power.flops, power.bytes);
}

DynamicEnergy::Answer DynamicEnergy::ask() {
  const double sd = law_.process.variance > 0 ? add_process() : 0;
  return {by_block_.sum(), sd};
}

// With k of the blocks seen and asked, each network's energy a sum over its blocks:
// mean = d·kᵀ(d w), variance = dᵀ k(asked, asked) d − |L⁻¹ Σ d k d|².
double DynamicEnergy::add_process() {
  ask_process(terms_.z);
  rest_.noalias() = with_asked_.transpose() * pulls_;
  by_block_.array() += rest_.array() * terms_.device_s.array();
  return spread(terms_.device_s);
}

double DynamicEnergy::difference_sd(const PowerTerms& before, const PowerTerms& after) {
  if (!(law_.process.variance > 0)) return 0;
  Eigen::MatrixXd z(before.z.rows() + after.z.rows(), before.z.cols());
  Eigen::VectorXd weights(z.rows());
  z << before.z, after.z;
  weights << -before.device_s, after.device_s;
  ask_process(z);
  return spread(weights);
}

void DynamicEnergy::ask_process(const Eigen::MatrixXd& z) {
  asked_ = scale_ * z;
  matern_covariance(seen_, asked_, law_.process.variance, with_asked_);
}

double DynamicEnergy::spread(const Eigen::VectorXd& weights) {
  by_seen_.noalias() = with_asked_ * weights;
  by_seen_.array() *= device_s_.array();
  Index begin = 0;
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    with_seen_[static_cast<Index>(i)] = by_seen_.segment(begin, ends_[i] - begin).sum();
    begin = ends_[i];
  }
  whitened_.noalias() = law_.inverse_lower.triangularView<Eigen::Lower>() * with_seen_;
  matern_covariance(asked_, asked_, law_.process.variance, among_asked_);
  const double prior = weights.dot(among_asked_ * weights);
  return std::sqrt(std::max(0.0, prior - whitened_.squaredNorm()));
}

}  // namespace ampere
