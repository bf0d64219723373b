#include "tree/even_trees.h"

#include <algorithm>
#include <array>

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
  for (const RegressionTree& tree : trees) add(tree);
}

// Places count from the root of the tree, level by level; a leaf stands at all places below it.
void EvenTrees::add(const RegressionTree& tree) {
  const std::size_t leaves = std::size_t{1} << depth_, questions = leaves - 1;
  std::array<std::int32_t, (std::size_t{2} << kDeepest) - 1> node_at;
  node_at[0] = 0;
  Question* question = questions_.data() + trees_ * questions;
  for (std::size_t at = 0; at < questions; ++at) {
    const TreeNode& node = tree.nodes()[static_cast<std::size_t>(node_at[at])];
    const bool is_leaf = node.column < 0;
    if (!is_leaf) question[at] = {node.cut, node.column};
    node_at[2 * at + 1] = is_leaf ? node_at[at] : node.left;
    node_at[2 * at + 2] = is_leaf ? node_at[at] : node.left + 1;
  }
  float* value = leaves_.data() + trees_ * leaves;
  for (std::size_t leaf = 0; leaf < leaves; ++leaf)
    value[leaf] = tree.nodes()[static_cast<std::size_t>(node_at[questions + leaf])].value;
  ++trees_;
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
