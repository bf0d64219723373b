#include "tree/forest.h"

#include <algorithm>

#include "ampere/error.h"

namespace ampere {

RandomForest RandomForest::fit(const Eigen::MatrixXd& x, const Eigen::VectorXd& y,
                               const ForestOptions& options) {
  if (x.rows() == 0 || x.rows() != y.size() || options.trees < 1)
    throw Error(ErrorCode::failed, "a forest needs a tree, and one value for each of its points");
  const BinnedTable table(x);
  const auto count = static_cast<std::uint64_t>(x.rows());
  const double all = static_cast<double>(std::max<Eigen::Index>(1, x.cols()));
  const double wanted = options.columns > 0 ? options.columns : std::max(1.0, all / 3);
  const TreeOptions tree{
      .depth = options.depth, .column_share = std::min(1.0, wanted / all), .halfway = true};
  const std::span<const double> values(y.data(), static_cast<std::size_t>(y.size()));
  std::mt19937_64 random(options.seed);
  std::vector<int> rows(count);
  std::vector<RegressionTree> trees;
  for (int i = 0; i < options.trees; ++i) {
    for (int& row : rows) row = static_cast<int>(random() % count);
    trees.push_back(grow_tree(table, values, rows, tree, random));
  }
  return RandomForest(std::move(trees));
}

Quantity RandomForest::operator()(const Eigen::VectorXd& row) const {
  double sum = 0, squares = 0;
  for (const RegressionTree& tree : trees_) {
    const double value = tree(row.data());
    sum += value;
    squares += value * value;
  }
  const auto count = static_cast<double>(trees_.size());
  const double mean = sum / count;
  return {mean, std::sqrt(std::max(0.0, squares / count - mean * mean))};
}

}  // namespace ampere
