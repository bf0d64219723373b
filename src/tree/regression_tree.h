// Regression trees: questions of the form "is this value at most that?", a number at every leaf.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "tree/binned.h"

namespace ampere {

struct TreeNode {
  std::int32_t column = -1;  // -1: a leaf
  std::int32_t left = 0;     // the right child is the next one
  float cut = 0;             // values up to it go left
  float value = 0;           // of a leaf
};

struct TreeOptions {
  int depth = 5;            // questions on the way to a leaf, at most
  int least_in_leaf = 1;    // points
  double column_share = 1;  // of the columns looked at for a split, drawn anew each time
  bool halfway = false;     // cut halfway to the next value of the node, not right above the last
};

class RegressionTree {
 public:
  RegressionTree() = default;
  explicit RegressionTree(std::vector<TreeNode> nodes) : nodes_(std::move(nodes)) {}

  double operator()(const double* row) const {
    const TreeNode* node = nodes_.data();
    while (node->column >= 0) node = &nodes_[node->left + (row[node->column] > node->cut ? 1 : 0)];
    return node->value;
  }
  const std::vector<TreeNode>& nodes() const { return nodes_; }

 private:
  std::vector<TreeNode> nodes_;  // the root first
};

// Least squares on the given rows; `rows` are reordered.
RegressionTree grow_tree(const BinnedTable& table, std::span<const double> y, std::span<int> rows,
                         const TreeOptions& options, std::mt19937_64& random);

}  // namespace ampere
