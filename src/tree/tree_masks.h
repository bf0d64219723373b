// Regression trees for questions whose rows share groups of columns: what the values of a group
// leave of the leaves of every tree is found once, and then used in all rows that have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tree/regression_tree.h"

namespace ampere {

class TreeMasks {
 public:
  // One bit per leaf of a tree, the leftmost lowest: set where the leaf can still be reached.
  using Leaves = std::vector<std::uint32_t>;  // one per tree

  TreeMasks() = default;
  // Keeps nothing of trees with more leaves than a mask has bits.
  TreeMasks(const std::vector<RegressionTree>& trees, std::size_t columns);

  bool empty() const { return values_.empty(); }
  std::size_t trees() const { return trees_; }
  Leaves all() const { return Leaves(trees_, ~std::uint32_t{0}); }
  // Takes away the leaves that a row with these values in the columns from `first` on cannot reach.
  void narrow(std::size_t first, std::span<const double> values, Leaves& leaves) const;
  // The values that a column is asked about, ascending: what narrow() does depends on how many of
  // them lie below a value alone.
  std::vector<double> cuts(std::size_t column) const;
  // start and the values of all trees at the leaves that are in all masks.
  // The first of the masks is narrowed by the others.
  double sum(double start, Leaves& first, std::span<const std::uint32_t* const> others) const;

 private:
  struct Question {
    float cut = 0;
    std::uint32_t tree = 0;
    std::uint32_t rest = 0;  // the leaves that are left where a value lies above the cut
  };
  bool add(const RegressionTree& tree);

  std::size_t trees_ = 0;
  std::vector<std::vector<Question>> questions_;  // by column, ascending
  std::vector<float> values_;                     // kLeaves per tree
};

}  // namespace ampere
