#include "tree/even_trees.h"

#include <algorithm>

namespace ampere {
namespace {

constexpr int kDeepest = 6;
constexpr std::size_t kAtOnce = 4;

int depth_of(const RegressionTree& tree, std::size_t node, int deepest) {
  const TreeNode& at = tree.nodes()[node];
  if (at.column < 0 || deepest < 0) return 0;
  const auto left = static_cast<std::size_t>(at.left);
  return 1 + std::max(depth_of(tree, left, deepest - 1), depth_of(tree, left + 1, deepest - 1));
}

}  // namespace

EvenTrees::EvenTrees(const std::vector<RegressionTree>& trees) {
  for (const RegressionTree& tree : trees)
    depth_ = std::max(depth_, tree.nodes().empty() ? kDeepest + 1 : depth_of(tree, 0, kDeepest));
  if (trees.empty() || depth_ > kDeepest) return;
  const std::size_t leaves = std::size_t{1} << depth_;
  questions_.resize(trees.size() * (leaves - 1));
  leaves_.resize(trees.size() * leaves);
  for (const RegressionTree& tree : trees) {
    place(tree, 0, 0, 0);
    ++trees_;
  }
}

// `at` counts from the root of the tree, level by level.
void EvenTrees::place(const RegressionTree& tree, std::size_t node, std::size_t at, int level) {
  const TreeNode& from = tree.nodes()[node];
  const std::size_t leaves = std::size_t{1} << depth_;
  if (level == depth_) {
    leaves_[trees_ * leaves + at - (leaves - 1)] = from.value;
    return;
  }
  const bool is_leaf = from.column < 0;
  if (!is_leaf) questions_[trees_ * (leaves - 1) + at] = {from.cut, from.column};
  const auto left = static_cast<std::size_t>(from.left);
  place(tree, is_leaf ? node : left, 2 * at + 1, level + 1);
  place(tree, is_leaf ? node : left + 1, 2 * at + 2, level + 1);
}

double EvenTrees::operator()(double start, const double* row) const {
  const std::size_t leaves = std::size_t{1} << depth_, questions = leaves - 1;
  double sum = start;
  const Question* first = questions_.data();
  const float* values = leaves_.data();
  const auto walk = [&]<std::size_t count>() {
    std::size_t at[count] = {};
    for (int level = 0; level < depth_; ++level)
      for (std::size_t i = 0; i < count; ++i) {
        const Question& question = first[i * questions + at[i]];
        at[i] = 2 * at[i] + 1 + (row[question.column] > question.cut ? 1 : 0);
      }
    for (std::size_t i = 0; i < count; ++i) sum += values[i * leaves + at[i] - questions];
    first += count * questions, values += count * leaves;
  };
  std::size_t done = 0;
  for (; done + kAtOnce <= trees_; done += kAtOnce) walk.template operator()<kAtOnce>();
  for (; done < trees_; ++done) walk.template operator()<1>();
  return sum;
}

}  // namespace ampere
