#include "tree/tree_masks.h"

#include <algorithm>
#include <bit>

namespace ampere {
namespace {

constexpr std::size_t kLeaves = 32, kSums = 4;

// Bits from `first` up to, and without, `end`.
std::uint32_t bits(std::size_t first, std::size_t end) {
  return static_cast<std::uint32_t>((std::uint64_t{1} << end) - (std::uint64_t{1} << first));
}

}  // namespace

TreeMasks::TreeMasks(const std::vector<RegressionTree>& trees, std::size_t columns)
    : questions_(columns) {
  for (const RegressionTree& tree : trees)
    if (!add(tree)) {
      *this = {};
      return;
    }
  for (auto& column : questions_)
    std::stable_sort(column.begin(), column.end(),
                     [](const Question& a, const Question& b) { return a.cut < b.cut; });
}

// Leaves are numbered from left to right. A row whose value is above the cut of a question cannot
// end in the leaves on the left of that question, so these are taken away. After all questions the
// leftmost leaf that remains is the one that the row falls into.
bool TreeMasks::add(const RegressionTree& tree) {
  const std::vector<TreeNode>& nodes = tree.nodes();
  const auto leaves = std::count_if(nodes.begin(), nodes.end(),
                                    [](const TreeNode& node) { return node.column < 0; });
  if (leaves == 0 || static_cast<std::size_t>(leaves) > kLeaves) return false;
  values_.resize(values_.size() + kLeaves);
  float* values = values_.data() + trees_ * kLeaves;
  std::size_t next = 0;
  const auto walk = [&](const auto& self, std::size_t at) -> void {
    const TreeNode& node = nodes[at];
    if (node.column < 0) {
      values[next++] = node.value;
      return;
    }
    const std::size_t first = next;
    self(self, static_cast<std::size_t>(node.left));
    questions_[static_cast<std::size_t>(node.column)].push_back(
        {node.cut, static_cast<std::uint32_t>(trees_), ~bits(first, next)});
    self(self, static_cast<std::size_t>(node.left) + 1);
  };
  walk(walk, 0);
  ++trees_;
  return true;
}

void TreeMasks::narrow(std::size_t first, std::span<const double> values, Leaves& leaves) const {
  for (std::size_t i = 0; i < values.size(); ++i)
    for (const Question& question : questions_[first + i]) {
      if (!(values[i] > question.cut)) break;
      leaves[question.tree] &= question.rest;
    }
}

std::vector<double> TreeMasks::cuts(std::size_t column) const {
  std::vector<double> cuts;
  for (const Question& question : questions_[column])
    if (cuts.empty() || question.cut > cuts.back()) cuts.push_back(question.cut);
  return cuts;
}

double TreeMasks::sum(double start, Leaves& first,
                      std::span<const std::uint32_t* const> others) const {
  std::uint32_t* left = first.data();
  for (const std::uint32_t* more : others)
    for (std::size_t tree = 0; tree < trees_; ++tree) left[tree] &= more[tree];
  // Several sums at once, because each waits for its last addition.
  double sums[kSums] = {start};
  const auto value = [&](std::size_t tree) -> double {
    return values_[tree * kLeaves + static_cast<std::size_t>(std::countr_zero(left[tree]))];
  };
  std::size_t tree = 0;
  for (; tree + kSums <= trees_; tree += kSums)
    for (std::size_t i = 0; i < kSums; ++i) sums[i] += value(tree + i);
  for (; tree < trees_; ++tree) sums[0] += value(tree);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace ampere
