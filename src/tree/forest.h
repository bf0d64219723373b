// A random forest (Breiman 2001): deep trees, each grown on a sample of the points drawn with
// replacement, looking at a few columns at every split; the forest says what they say on average.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "ampere/units.h"
#include "tree/regression_tree.h"

namespace ampere {

struct ForestOptions {
  int trees = 500;
  int depth = 100;
  int columns = 0;  // looked at for a split; 0: a third of them, at least one
  unsigned seed = 1;
};

class RandomForest {
 public:
  explicit RandomForest(std::vector<RegressionTree> trees) : trees_(std::move(trees)) {}

  // Throws Error(failed) unless there is a row, and y has one value for each.
  static RandomForest fit(const Eigen::MatrixXd& x, const Eigen::VectorXd& y,
                          const ForestOptions& options = {});

  // The standard deviation is that among the trees.
  Quantity operator()(const Eigen::VectorXd& row) const;
  const std::vector<RegressionTree>& trees() const { return trees_; }

 private:
  std::vector<RegressionTree> trees_;
};

}  // namespace ampere
