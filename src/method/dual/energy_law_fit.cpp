#include <algorithm>
#include <cmath>

#include "base/nonnegative.h"
#include "gp/cholesky.h"
#include "gp/matern.h"
#include "method/dual/energy_law.h"

namespace ampere {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Networks = std::vector<const MeasuredNetwork*>;

constexpr double kIdleWeight = 3;  // of the window of doing nothing against one network
constexpr double kLengthScales[] = {0.7, 1.5, 3, 6};
constexpr double kPowerShares[] = {0, 0.05, 0.1, 0.2, 0.4};  // of the mean dynamic power
constexpr double kNoises[] = {0.003, 0.007, 0.015, 0.03};
constexpr double kWorthMore = 0.1;  // of log likelihood, to leave the simpler

PowerTerms power_terms(const MappedNetwork& network, double device_s) {
  PowerTerms terms;
  resize(terms, static_cast<Index>(network.blocks.size()));
  const double stretch = network.device_s > 0 ? device_s / network.device_s : 1;
  for (std::size_t i = 0; i < network.blocks.size(); ++i)
    set_row(terms, static_cast<Index>(i), power_block(network.blocks[i]),
            stretch * network.times[i].device_s);
  return terms;
}

MatrixXd scaled(const PowerTerms& terms, double length_scale) {
  return scale_for_matern(terms.z, VectorXd::Constant(terms.z.cols(), length_scale));
}

// Σ Σ d d' k(z, z') over the blocks of both, for a power variance of 1.
double covariance(const PowerTerms& a, const MatrixXd& scaled_a, const PowerTerms& b,
                  const MatrixXd& scaled_b) {
  MatrixXd k;
  matern_covariance(scaled_a, scaled_b, 1, k);
  return a.device_s.dot(k * b.device_s);
}

// Relative to E. With P0 and γ both free on a synchronous device, where T = d, one of them is zero.
void fit_sums(EnergyLaw& law, const Networks& networks, bool synchronous,
              const std::optional<Window>& idle) {
  const auto count = static_cast<Index>(networks.size());
  MatrixXd rows = MatrixXd::Zero(count + 1, 5);
  VectorXd target = VectorXd::Zero(count + 1);
  for (Index i = 0; i < count; ++i) {
    const MeasuredNetwork& network = *networks[static_cast<std::size_t>(i)];
    rows.row(i) << network.time_s, network.known_device_s(synchronous), network.network.flops(),
        network.network.bytes(), static_cast<double>(network.network.blocks.size());
    rows.row(i) /= network.energy_j;
    target[i] = 1;
  }
  if (idle && idle->energy.value > 0) {
    rows(count, 0) = kIdleWeight * idle->time.count() / idle->energy.value;
    target[count] = kIdleWeight;
  }
  // Columns of one size: FLOPs and seconds are many orders apart.
  VectorXd scale = rows.colwise().norm();
  for (double& column : scale) column = column > 0 ? column : 1;
  const VectorXd fitted =
      nonnegative_least_squares(rows * scale.cwiseInverse().asDiagonal(), target,
                                VectorXd::Constant(5, 1e-9), VectorXd::Zero(5))
          .cwiseQuotient(scale);
  law.ready_w = fitted[0], law.device_w = fitted[1], law.j_per_flop = fitted[2];
  law.j_per_byte = fitted[3], law.j_per_block = fitted[4];
}

VectorXd summed_by_block(const EnergyLaw& law, const MappedNetwork& network, const VectorXd& d) {
  VectorXd energy(d.size());
  for (Index i = 0; i < d.size(); ++i) {
    const BlockTerms& block = network.blocks[static_cast<std::size_t>(i)];
    energy[i] = law.summed(d[i], block.flops, block.bytes);
  }
  return energy;
}

// Conditions g on what the sums leave over, and looks for its hyper-parameters.
class PowerFit {
 public:
  PowerFit(EnergyLaw& law, const Networks& networks, bool synchronous)
      : law_(law), rest_(static_cast<Index>(networks.size())), size_(rest_.size()) {
    double dynamic = 0, device = 0;
    for (Index i = 0; i < rest_.size(); ++i) {
      const MeasuredNetwork& network = *networks[static_cast<std::size_t>(i)];
      law_.seen.push_back(power_terms(network.network, network.known_device_s(synchronous)));
      const double e = network.energy_j - law_.ready_w * network.time_s;
      rest_[i] = e - summed_by_block(law_, network.network, law_.seen.back().device_s).sum();
      size_[i] = network.energy_j;
      dynamic += std::max(0.0, e);
      device += law_.seen.back().device_s.sum();
    }
    mean_power_ = device > 0 ? dynamic / device : 0;
  }

  // The largest marginal likelihood of a few. One length scale for all axes of z: with one for each
  // the same networks were predicted no better.
  PowerProcess search() {
    PowerProcess best;
    double value = -INFINITY;
    for (const double length_scale : kLengthScales) climb(length_scale, best, value);
    return best;
  }

  void condition(const PowerProcess& process) {
    law_.process = process;
    condition(unit_covariance(process.length_scale), process);
  }

 private:
  void climb(double length_scale, PowerProcess& best, double& value) {
    const MatrixXd unit = unit_covariance(length_scale);
    for (const double share : kPowerShares)
      for (const double noise : kNoises) {
        const PowerProcess process{length_scale, std::pow(share * mean_power_, 2), noise};
        const double likelihood = condition(unit, process);
        if (likelihood > value + kWorthMore) value = likelihood, best = process;
      }
  }

  MatrixXd unit_covariance(double length_scale) const {
    std::vector<MatrixXd> z;
    for (const PowerTerms& terms : law_.seen) z.push_back(scaled(terms, length_scale));
    MatrixXd unit(rest_.size(), rest_.size());
    for (Index i = 0; i < unit.rows(); ++i)
      for (Index j = 0; j <= i; ++j)
        unit(i, j) = unit(j, i) = covariance(law_.seen[i], z[i], law_.seen[j], z[j]);
    return unit;
  }

  // Returns the log marginal likelihood but for a constant.
  double condition(const MatrixXd& unit, const PowerProcess& process) {
    MatrixXd lower = process.variance * unit;
    lower.diagonal() += (process.noise * size_).cwiseAbs2();
    factorise(lower);
    law_.inverse_lower = lower.triangularView<Eigen::Lower>();
    invert_lower(law_.inverse_lower);
    const VectorXd whitened = law_.inverse_lower.triangularView<Eigen::Lower>() * rest_;
    law_.weights = law_.inverse_lower.triangularView<Eigen::Lower>().transpose() * whitened;
    return -0.5 * whitened.squaredNorm() - half_log_determinant(lower);
  }

  EnergyLaw& law_;
  VectorXd rest_, size_;
  double mean_power_ = 0;
};

}  // namespace

EnergyLaw fit_energy_law(const Networks& networks, bool synchronous,
                         const std::optional<Window>& idle,
                         const std::optional<PowerProcess>& process) {
  EnergyLaw law;
  fit_sums(law, networks, synchronous, idle);
  PowerFit fit(law, networks, synchronous);
  fit.condition(process ? *process : fit.search());
  return law;
}

}  // namespace ampere
