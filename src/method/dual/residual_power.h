// The process g of an energy law, laid out to be asked about many networks: the blocks it was
// conditioned on in one matrix, and room that is kept from one question to the next.
#pragma once

#include <Eigen/Dense>

#include "method/dual/energy_law.h"

namespace ampere {

class ResidualPower {
 public:
  explicit ResidualPower(const EnergyLaw& law);  // keeps a reference

  // The standard deviation of Σ d·g(z).
  double ask(const PowerTerms& terms);
  // Σ d·g(z) of the network last asked about, block by block.
  const Eigen::VectorXd& by_block() const { return by_block_; }

 private:
  const EnergyLaw& law_;
  double scale_;                      // √5 / length scale
  Eigen::MatrixXd seen_;              // scaled z, a row a block
  Eigen::VectorXd device_s_, pulls_;  // of these blocks: d, and d · the weight of their network
  std::vector<Eigen::Index> ends_;    // where each network's blocks end

  Eigen::MatrixXd asked_, with_asked_, among_asked_;
  Eigen::VectorXd by_block_, by_seen_, with_seen_, whitened_;
};

}  // namespace ampere
