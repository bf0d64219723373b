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
// the nodes of Chebyshev polynomials; the error of each covariance is below 2e-8 of the process's variance at the
// worst.
class SeenNetworks {
 public:
  explicit SeenNetworks(const EnergyLaw& law);

  Eigen::Index size() const { return sums_.groups(); }

  // out[i]: the covariance of the power of a block at z, scaled by √5 / length scale, with what the
  // process adds to the energy of network i.
  void covary(const Eigen::VectorXd& z, double* out) { sums_(z.data(), variance_, out); }
  // The same of a block that is always the same apart from its device time.
  void covary(int block, const Eigen::VectorXd& z, double* out);
  // What was tabulated: blocks may get other numbers from here on.
  void forget();

 private:
  static constexpr int kNodes = 8;
  struct Line {
    std::int32_t interval = 0, asked = 0;
    Eigen::MatrixXd at_nodes;  // one column per node; empty: asked too rarely
  };
  void tabulate(const Eigen::VectorXd& z, double unit, Line& line);

  double variance_ = 0;
  double interval_ = 1;  // length of one, in scaled log2 of seconds
  MaternSums sums_;
  std::array<double, kNodes> nodes_{}, factors_{};  // from −1 to 1; of Lagrange's polynomials
  std::vector<std::array<Line, 2>> lines_;          // by block: the latest even and odd interval
  Eigen::Index tables_ = 0;
};

}  // namespace ampere
