// The networks that the process g of an energy law was conditioned on, laid out to be asked about
// single blocks many times.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <cstdint>
#include <vector>

#include "gp/matern_sums.h"
#include "method/dual/energy_law.h"

namespace ampere {

// For a block with given FLOPs and bytes, z is a line: it depends on log2 of the block's device
// time inside the network alone. What is asked often of a block is tabulated along that line, at
// the nodes of Chebyshev polynomials; the error of each covariance is below 2e-8 of the process's
// variance at the worst. The nodes are places of the network's stretch (the device time inside of
// it over the time alone), the same for all its blocks, so that tables can be added up before they
// are interpolated.
class SeenNetworks {
 public:
  explicit SeenNetworks(const EnergyLaw& law);

  Eigen::Index size() const { return sums_.groups(); }

  // z of a block, scaled by √5 / length scale.
  using Axes = MaternSums::Point;
  // out[i]: the covariance of the power of a block at z with what the process adds to the energy of
  // network i.
  void covary(const Axes& z, double* out) { add(z, 1), take(out); }
  // The same for a weighted sum of blocks: each block is added with its factor, then take() writes
  // the covariances of the sum.
  void add(const Axes& z, double factor) { sums_.add(z, factor); }
  void take(double* out) { sums_.take(variance_, out); }

  static constexpr int kNodes = 8;
  // Where the stretch of a network lies among the nodes.
  struct Place {
    double log_stretch = 0;  // log2, scaled as z is
    std::int32_t interval = 0;
    double unit = 0;  // in it, from −1 to 1
    Eigen::Matrix<double, kNodes, 1> weights;
  };
  Place place(double log_stretch) const;
  // Covariances at the nodes, one column each, of a block that is always the same apart from its
  // device time: at z when it is at this place. Nothing while it was asked too rarely; valid until
  // the next call for another interval or until `generation` changes.
  const Eigen::MatrixXd* table(int block, const Axes& z, const Place& place);
  // The same of a block that had a table at this place.
  const Eigen::MatrixXd& made_table(int block, const Place& place) const;
  int generation() const { return generation_; }
  // What was tabulated: blocks may get other numbers from here on.
  void forget();

 private:
  struct Line {
    std::int32_t interval = 0, asked = 0;
    Eigen::MatrixXd at_nodes;  // one column per node; empty: asked too rarely
  };
  void tabulate(const Axes& z, double unit, Line& line);

  double variance_ = 0;
  double interval_ = 1;  // length of one, in scaled log2 of the stretch
  MaternSums sums_;
  std::array<double, kNodes> nodes_{}, factors_{};  // from −1 to 1; of Lagrange's polynomials
  std::vector<std::array<Line, 2>> lines_;          // by block: the latest even and odd interval
  Eigen::Index tables_ = 0;
  int generation_ = 0;
};

}  // namespace ampere
