#include "tree/regression_tree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <numeric>

namespace ampere {
namespace {

struct TreeData {
  Eigen::MatrixXd x;
  std::vector<double> y;
};

TreeData data_of(Eigen::Index rows, Eigen::Index columns,
                 const std::function<double(const Eigen::VectorXd&)>& law) {
  TreeData data{Eigen::MatrixXd(rows, columns), {}};
  std::mt19937_64 random(7);
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (double& value : data.x.row(i)) value = static_cast<double>(random() % 100);
    data.y.push_back(law(data.x.row(i)));
  }
  return data;
}

RegressionTree grow(const TreeData& data, const TreeOptions& options = {}, unsigned seed = 1) {
  std::vector<int> rows(data.y.size());
  std::iota(rows.begin(), rows.end(), 0);
  std::mt19937_64 random(seed);
  return grow_tree(BinnedTable(data.x), data.y, rows, options, random);
}

double at(const RegressionTree& tree, const Eigen::VectorXd& row) { return tree(row.data()); }

double step(const Eigen::VectorXd& row) { return row[1] > 40 ? (row[1] > 70 ? 3.5 : -2) : 1; }

TEST(RegressionTree, LearnsAStepFunctionExactly) {
  const TreeData data = data_of(300, 3, step);
  const RegressionTree tree = grow(data);
  for (Eigen::Index i = 0; i < data.x.rows(); ++i)
    EXPECT_FLOAT_EQ(static_cast<float>(at(tree, data.x.row(i))),
                    static_cast<float>(data.y[static_cast<std::size_t>(i)]));
  EXPECT_EQ(tree.nodes().size(), 5u) << "two questions, three leaves, nothing else";
  for (const TreeNode& node : tree.nodes()) EXPECT_TRUE(node.column == -1 || node.column == 1);
}

TEST(RegressionTree, LearnsAStepWithMoreValuesThanBins) {
  TreeData data{Eigen::VectorXd::LinSpaced(2000, 0, 1), {}};
  for (const double x : data.x.col(0)) data.y.push_back(x < 0.5 ? 0 : 1);
  const RegressionTree tree = grow(data);
  int wrong = 0;
  for (Eigen::Index i = 0; i < 2000; ++i)
    wrong += std::abs(at(tree, data.x.row(i)) - data.y[static_cast<std::size_t>(i)]) > 0.5;
  EXPECT_LE(wrong, 2000 / 256) << "a bin's worth";
}

TEST(RegressionTree, LeavesHoldAtLeastAsManyPointsAsAsked) {
  const TreeData data = data_of(200, 3, [](const auto& row) { return std::sin(row[0]) + row[1]; });
  for (const int least : {1, 7, 30, 100, 101, 500}) {
    const RegressionTree tree = grow(data, {.depth = 12, .least_in_leaf = least});
    std::map<double, int> held;
    for (Eigen::Index i = 0; i < data.x.rows(); ++i) ++held[at(tree, data.x.row(i))];
    for (const auto& [value, count] : held) EXPECT_GE(count, std::min(least, 200)) << least;
    if (least > 100) {
      EXPECT_EQ(tree.nodes().size(), 1u);
    }
  }
}

TEST(RegressionTree, IsNoDeeperThanAsked) {
  const TreeData data = data_of(500, 2, [](const auto& row) { return row[0] * 100 + row[1]; });
  EXPECT_EQ(grow(data, {.depth = 0}).nodes().size(), 1u);
  EXPECT_EQ(grow(data, {.depth = 1}).nodes().size(), 3u);
  EXPECT_EQ(grow(data, {.depth = 3}).nodes().size(), 15u);
}

TEST(RegressionTree, TheValueOfALeafIsTheMean) {
  const TreeData data{Eigen::VectorXd::Zero(3), {1, 2, 6}};
  const RegressionTree tree = grow(data);
  ASSERT_EQ(tree.nodes().size(), 1u) << "nothing tells the points apart";
  EXPECT_FLOAT_EQ(tree.nodes()[0].value, 3);
}

TEST(RegressionTree, ConstantColumnsAreNeverAskedFor) {
  TreeData data = data_of(100, 4, step);
  data.x.col(0).setConstant(3);
  data.x.col(3).setConstant(-1);
  const RegressionTree tree = grow(data, {.column_share = 0.5});
  for (const TreeNode& node : tree.nodes()) {
    EXPECT_NE(node.column, 0);
    EXPECT_NE(node.column, 3);
  }
}

TEST(RegressionTree, AConstantIsOneLeaf) {
  const TreeData data = data_of(100, 2, [](const auto&) { return 1e7 / 3; });
  const RegressionTree tree = grow(data);
  EXPECT_EQ(tree.nodes().size(), 1u);
  EXPECT_FLOAT_EQ(tree.nodes()[0].value, 1e7f / 3);
}

TEST(RegressionTree, DoesNotDependOnTheUnit) {
  const TreeData data = data_of(100, 2, step);
  for (const double unit : {1e-15, 1e-6, 1e12}) {
    TreeData other = data;
    for (double& y : other.y) y *= unit;
    EXPECT_EQ(grow(other, {}).nodes().size(), grow(data, {}).nodes().size()) << unit;
  }
}

TEST(RegressionTree, OnePointIsItsValue) {
  EXPECT_FLOAT_EQ(grow({Eigen::MatrixXd::Constant(1, 2, 5), {4}}).nodes()[0].value, 4);
}

TEST(RegressionTree, WithoutColumnsIsTheMean) {
  EXPECT_FLOAT_EQ(grow({Eigen::MatrixXd(2, 0), {4, 6}}).nodes()[0].value, 5);
}

TEST(RegressionTree, AShareAboveOneIsAllColumns) {
  const TreeData data = data_of(100, 3, step);
  EXPECT_EQ(grow(data, {.column_share = 2}).nodes().size(), 5u);
}

TEST(RegressionTree, SeesOnlyTheRowsItIsGiven) {
  const TreeData data = data_of(100, 2, [](const auto& row) { return row[0]; });
  std::vector<int> rows{3, 8};
  std::mt19937_64 random(1);
  const RegressionTree tree = grow_tree(BinnedTable(data.x), data.y, rows, {}, random);
  EXPECT_EQ(tree.nodes().size(), 3u);
  EXPECT_FLOAT_EQ(at(tree, data.x.row(3)), data.y[3]);
  EXPECT_FLOAT_EQ(at(tree, data.x.row(8)), data.y[8]);
}

}  // namespace
}  // namespace ampere
