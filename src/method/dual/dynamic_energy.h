// The energy e that a network's work costs by an energy law, laid out to be asked about many
// networks: memory is kept from one question to the next.
#pragma once

#include <Eigen/Dense>

#include "method/dual/energy_law.h"
#include "method/dual/seen_networks.h"

namespace ampere {

class DynamicEnergy {
 public:
  explicit DynamicEnergy(const EnergyLaw& law);  // keeps a reference

  // A network is described by begin() and one set() per block, which takes the block's device time
  // inside the network.
  void begin(Eigen::Index blocks);
  void set(Eigen::Index block, const PowerBlock& power, double device_s);

  struct Answer {
    double dynamic_j = 0;  // e
    double sd = 0;         // of e, the device times being right
  };
  Answer ask();
  // e of the network last asked about, block by block.
  const Eigen::VectorXd& by_block() const { return by_block_; }
  const PowerTerms& terms() const { return terms_; }  // of that network

  // The standard deviation of the difference of e between two networks, the device times being
  // right. What g does not know of blocks that both have cancels.
  double difference_sd(const PowerTerms& before, const PowerTerms& after);

 private:
  double add_process();
  void ask_process(const Eigen::MatrixXd& z);
  // Of the blocks last asked about, weighted.
  double spread(const Eigen::VectorXd& weights);

  const EnergyLaw& law_;
  double scale_;  // √5 / length scale
  SeenNetworks seen_;

  PowerTerms terms_;
  Eigen::MatrixXd asked_, with_asked_, among_asked_;  // with_asked_: one row per network seen
  Eigen::VectorXd by_block_, rest_, with_seen_, whitened_;
};

}  // namespace ampere
