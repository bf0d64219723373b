// The energy e that a network's work costs by an energy law, for very many networks that share
// blocks: answers are within 1e-9 of those of DynamicEnergy.
//
// With t the times of the blocks alone and s the network's stretch, d = s t, and all logarithms of
// z move by log2 s together. So covariances among the blocks of a network do not depend on s, those
// with the networks that were seen can be tabulated over s and added up over the blocks, and a
// network that differs from the last one in a few blocks is found from it.
#pragma once

#include <Eigen/Dense>
#include <span>
#include <vector>

#include "gp/matern_rows.h"
#include "method/dual/dynamic_energy.h"
#include "method/dual/energy_law.h"
#include "method/dual/seen_networks.h"

namespace ampere {

class TabulatedEnergy {
 public:
  explicit TabulatedEnergy(const EnergyLaw& law);  // keeps a reference

  // Blocks are numbered from 0 in the order in which they are added.
  void add(const PowerBlock& power, double device_s);  // its device time alone
  void forget();

  // Whether the law can be asked so: it takes times below a nanosecond as one.
  bool answers(std::span<const int> blocks, double stretch) const;
  DynamicEnergy::Answer ask(std::span<const int> blocks, double stretch);

 private:
  using Axes = SeenNetworks::Axes;
  struct Block {
    double flops = 0, bytes = 0, device_s = 0;
    Axes z;  // alone, scaled
  };
  const Block& block(int number) const { return blocks_[static_cast<std::size_t>(number)]; }
  void ask_process(std::span<const int> blocks, double stretch, DynamicEnergy::Answer& answer);
  // Bring what is kept of the network to these blocks.
  void begin(std::size_t blocks);
  void drop_tables(const SeenNetworks::Place& place);
  void replace(std::span<const int> blocks, const SeenNetworks::Place& place);
  void correlate(Eigen::Index position);  // with all others
  void add_table(std::size_t position, const SeenNetworks::Place& place, double sign);
  // z of the block inside a network of this stretch.
  static Axes at(const Block& block, const SeenNetworks::Place& place);

  const EnergyLaw& law_;
  double scale_;  // √5 / length scale
  SeenNetworks seen_;
  std::vector<Block> blocks_;

  // The network last asked about.
  std::vector<int> last_;        // −1: nothing is known of this position
  std::vector<char> is_tabled_;  // whether its table is part of `tables_`
  MaternRows positions_;         // z of the blocks alone
  Eigen::VectorXd device_s_;
  Eigen::MatrixXd among_;   // correlations of the positions
  Eigen::MatrixXd tables_;  // Σ t · table over the positions that have one
  SeenNetworks::Place place_;
  int generation_ = -1, replaced_ = 0;

  std::vector<Eigen::Index> changed_;
  Eigen::VectorXd with_seen_, untabled_, whitened_, among_device_s_;
};

}  // namespace ampere
