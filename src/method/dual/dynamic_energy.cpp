#include "method/dual/dynamic_energy.h"

#include <algorithm>
#include <cmath>

#include "gp/matern.h"

namespace ampere {

using Eigen::Index;

DynamicEnergy::DynamicEnergy(const EnergyLaw& law)
    : law_(law), scale_(std::sqrt(5.0) / law.process.length_scale), seen_(law) {}

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
  rest_.noalias() = with_asked_.transpose() * law_.weights;
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
  with_asked_.resize(seen_.size(), asked_.rows());
  for (Index i = 0; i < asked_.rows(); ++i)
    seen_.covary(asked_.row(i).transpose(), with_asked_.col(i).data());
}

double DynamicEnergy::spread(const Eigen::VectorXd& weights) {
  with_seen_.noalias() = with_asked_ * weights;
  whitened_.noalias() = law_.inverse_lower.triangularView<Eigen::Lower>() * with_seen_;
  matern_covariance(asked_, asked_, law_.process.variance, among_asked_);
  const double prior = weights.dot(among_asked_ * weights);
  return std::sqrt(std::max(0.0, prior - whitened_.squaredNorm()));
}

}  // namespace ampere
