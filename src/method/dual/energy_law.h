// From times to energy.
//
//   E = P0 T + e,   e = Σ_blocks ( γ d + α FLOPs + β bytes + κ ) + Σ_blocks d · g(z)
//
// P0 is the power of a device that is ready and does nothing, e what the work itself costs. The
// first sum is fitted by non-negative least squares; g is a Gaussian process of what dynamic power
// is left over, on z = (log2 d, log2 FLOPs/d, log2 bytes/d, first?, last?), conditioned on all
// networks at once, since their energies are linear in it.
#pragma once

#include <Eigen/Dense>
#include <optional>
#include <vector>

#include "ampere/measurement.h"
#include "method/dual/time_law.h"

namespace ampere {

// A network's blocks as the residual power sees them.
struct PowerTerms {
  Eigen::MatrixXd z;  // a row a block
  Eigen::VectorXd device_s;
};

// One of them, its device time apart; logarithms are to the base 2.
struct PowerBlock {
  double flops = 0, bytes = 0;
  double log_flops = 0, log_bytes = 0;
  bool first = false, last = false;
};
PowerBlock power_block(const BlockTerms& block);

void resize(PowerTerms& terms, Eigen::Index blocks);
void set_row(PowerTerms& terms, Eigen::Index row, const PowerBlock& block, double device_s);

// Hyper-parameters of g.
struct PowerProcess {
  double length_scale = 1;
  double variance = 0;  // W²
  double noise = 0.01;  // of a network's energy, relative to it
};

struct EnergyLaw {
  double ready_w = 0;      // P0
  double device_w = 0;     // γ
  double j_per_flop = 0;   // α
  double j_per_byte = 0;   // β
  double j_per_block = 0;  // κ

  // g: networks it was conditioned on, and the inverse of their covariance's Cholesky factor.
  PowerProcess process;
  std::vector<PowerTerms> seen;
  Eigen::VectorXd weights;
  Eigen::MatrixXd inverse_lower;

  double summed(double device_s, double flops, double bytes) const;  // of one block, without g
};

// `idle` is a window of doing nothing with clocks up, where there is one. Without a process given,
// the most likely one is looked for.
EnergyLaw fit_energy_law(const std::vector<const MeasuredNetwork*>& networks, bool synchronous,
                         const std::optional<Window>& idle,
                         const std::optional<PowerProcess>& process = {});

}  // namespace ampere
