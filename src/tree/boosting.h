// Gradient boosting for least squares: every tree mends a share of what those before it left.
// Our own because it is asked millions of times for single rows, is loaded in a millisecond and
// must give the same numbers everywhere.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "tree/even_trees.h"
#include "tree/regression_tree.h"

namespace ampere {

struct BoostingOptions {
  int trees = 300;
  double rate = 0.1;       // of the rest that a tree may mend
  double row_share = 0.7;  // of the points a tree sees
  TreeOptions tree{.column_share = 0.5};
  unsigned seed = 1;
};

class BoostedTrees {
 public:
  BoostedTrees() = default;  // 0 everywhere
  BoostedTrees(double start, std::vector<RegressionTree> trees)
      : start_(start), trees_(std::move(trees)), even_(trees_) {}

  static BoostedTrees fit(const Eigen::MatrixXd& x, const Eigen::VectorXd& y,
                          const BoostingOptions& options = {});

  double operator()(const Eigen::VectorXd& row) const {
    if (!even_.empty()) return even_(start_, row.data());
    double value = start_;
    for (const RegressionTree& tree : trees_) value += tree(row.data());
    return value;
  }
  double start() const { return start_; }
  const std::vector<RegressionTree>& trees() const { return trees_; }

 private:
  double start_ = 0;
  std::vector<RegressionTree> trees_;  // the rate is in their leaves
  EvenTrees even_;                     // the same, to be asked; empty for deep ones
};

}  // namespace ampere
