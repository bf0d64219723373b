#include "tree/boosting.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ampere {
namespace {

RegressionTree scaled(const RegressionTree& tree, double rate) {
  std::vector<TreeNode> nodes = tree.nodes();
  for (TreeNode& node : nodes) node.value *= static_cast<float>(rate);
  return RegressionTree(std::move(nodes));
}

void draw_to_front(std::vector<int>& rows, std::size_t count, std::mt19937_64& random) {
  for (std::size_t i = 0; i < count; ++i)
    std::swap(rows[i], rows[i + random() % (rows.size() - i)]);
}

}  // namespace

BoostedTrees BoostedTrees::fit(const Eigen::MatrixXd& x, const Eigen::VectorXd& y,
                               const BoostingOptions& options) {
  const BinnedTable table(x);
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> by_row = x;
  std::mt19937_64 random(options.seed);
  const double start = y.mean();
  std::vector<double> rest(y.begin(), y.end());
  for (double& value : rest) value -= start;
  std::vector<int> rows(rest.size());
  std::iota(rows.begin(), rows.end(), 0);
  const auto seen = std::clamp<std::size_t>(
      std::llround(options.row_share * static_cast<double>(rows.size())), 1, rows.size());

  std::vector<RegressionTree> trees;
  for (int i = 0; i < options.trees; ++i) {
    draw_to_front(rows, seen, random);
    const RegressionTree tree = scaled(
        grow_tree(table, rest, std::span(rows).first(seen), options.tree, random), options.rate);
    for (std::size_t row = 0; row < rest.size(); ++row)
      rest[row] -= tree(by_row.row(static_cast<Eigen::Index>(row)).data());
    trees.push_back(tree);
  }
  return {start, std::move(trees)};
}

}  // namespace ampere
