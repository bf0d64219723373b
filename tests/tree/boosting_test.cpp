#include "tree/boosting.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/json.h"
#include "base/text.h"
#include "tree/tree_masks.h"

namespace ampere {
namespace {

struct Data {
  Eigen::MatrixXd x;
  Eigen::VectorXd y;
};

Data wavy(Eigen::Index rows, unsigned seed) {
  std::mt19937_64 random(seed);
  Data data{Eigen::MatrixXd(rows, 3), Eigen::VectorXd(rows)};
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (double& value : data.x.row(i)) value = static_cast<double>(random() % 1000) / 100;
    data.y[i] = std::sin(data.x(i, 0)) + (data.x(i, 1) > 5 ? 2 : 0) + 100;
  }
  return data;
}

double rms_error(const BoostedTrees& trees, const Data& data) {
  double squares = 0;
  for (Eigen::Index i = 0; i < data.y.size(); ++i)
    squares += std::pow(trees(data.x.row(i)) - data.y[i], 2);
  return std::sqrt(squares / static_cast<double>(data.y.size()));
}

TEST(BoostedTrees, AreBetterThanTheFirstOfThemAndThanTheMean) {
  const Data seen = wavy(300, 1), unseen = wavy(300, 2);
  const BoostedTrees trees = BoostedTrees::fit(seen.x, seen.y);
  const BoostedTrees first(trees.start(), {trees.trees().front()});
  const BoostedTrees mean(trees.start(), {});
  EXPECT_LT(rms_error(trees, unseen), 0.3 * rms_error(first, unseen));
  EXPECT_LT(rms_error(first, unseen), rms_error(mean, unseen));
  EXPECT_EQ(trees.trees().size(), 300u);
}

double one_after_the_other(const BoostedTrees& trees, const Eigen::VectorXd& row) {
  double value = trees.start();
  for (const RegressionTree& tree : trees.trees()) value += tree(row.data());
  return value;
}

TEST(TreeMasks, SumWhatTheTreesSay) {
  const Data seen = wavy(200, 1), unseen = wavy(200, 2);
  for (const int depth : {0, 1, 5}) {
    const BoostedTrees fitted =
        BoostedTrees::fit(seen.x, seen.y, {.trees = 50, .tree = {.depth = depth}});
    const TreeMasks masks(fitted.trees(), 3);
    ASSERT_FALSE(masks.empty());
    for (Eigen::Index i = 0; i < unseen.y.size(); ++i) {
      const Eigen::VectorXd row = unseen.x.row(i);
      TreeMasks::Leaves first = masks.all(), rest = masks.all();
      masks.narrow(0, {row.data(), 1}, first);
      masks.narrow(1, {row.data() + 1, 2}, rest);
      ASSERT_NEAR(masks.sum(fitted.start(), first, std::vector<const std::uint32_t*>{rest.data()}),
                  fitted(row), 1e-11);
    }
  }
  const BoostedTrees deep = BoostedTrees::fit(seen.x, seen.y, {.trees = 2, .tree = {.depth = 9}});
  EXPECT_TRUE(TreeMasks(deep.trees(), 3).empty()) << "more leaves than a mask has bits";
}

TEST(BoostedTrees, WalkedSideBySideAreEqualToTheLastBit) {
  const Data seen = wavy(200, 1), unseen = wavy(200, 2);
  for (const int trees : {1, 3, 50})
    for (const int depth : {0, 1, 5, 9}) {
      const BoostedTrees fitted =
          BoostedTrees::fit(seen.x, seen.y, {.trees = trees, .tree = {.depth = depth}});
      for (Eigen::Index i = 0; i < unseen.y.size(); ++i)
        ASSERT_EQ(fitted(unseen.x.row(i)), one_after_the_other(fitted, unseen.x.row(i)))
            << trees << " trees of depth " << depth;
    }
}

TEST(BoostedTrees, StartAtTheMean) {
  const Data data = wavy(50, 1);
  EXPECT_DOUBLE_EQ(BoostedTrees::fit(data.x, data.y).start(), data.y.mean());
}

TEST(BoostedTrees, AreTheSameForTheSameSeed) {
  const Data data = wavy(100, 1);
  const BoostedTrees one = BoostedTrees::fit(data.x, data.y, {.trees = 20, .seed = 3}),
                     same = BoostedTrees::fit(data.x, data.y, {.trees = 20, .seed = 3}),
                     other = BoostedTrees::fit(data.x, data.y, {.trees = 20, .seed = 4});
  bool differs = false;
  for (Eigen::Index i = 0; i < data.y.size(); ++i) {
    EXPECT_EQ(one(data.x.row(i)), same(data.x.row(i)));
    differs |= one(data.x.row(i)) != other(data.x.row(i));
  }
  EXPECT_TRUE(differs);
}

TEST(BoostedTrees, OfOnePointAreIts) {
  const BoostedTrees trees =
      BoostedTrees::fit(Eigen::MatrixXd::Ones(1, 2), Eigen::VectorXd::Constant(1, 5));
  EXPECT_DOUBLE_EQ(trees(Eigen::Vector2d(9, 9)), 5);
}

TEST(BoostedTrees, AreZeroUnlessTheyAreFitted) { EXPECT_EQ(BoostedTrees()(Eigen::VectorXd(4)), 0); }

Eigen::MatrixXd matrix_of(const Json& rows) {
  Eigen::MatrixXd matrix(rows.size(), rows.at(0).size());
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) matrix(i, j) = rows[i][j].get<double>();
  return matrix;
}

// Draws differ, so errors on points not seen are compared (tests/data/tree/make_boosting.py).
TEST(BoostedTrees, AreAsGoodAsThoseOfScikitLearn) {
  const Json cases = Json::parse(read_text_file(AMPERE_TEST_DATA "/tree/boosting.json"));
  for (const Json& given : cases) {
    const Eigen::MatrixXd x = matrix_of(given.at("x"));
    const auto values = given.at("y").get<std::vector<double>>();
    const Eigen::VectorXd y =
        Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
    const auto seen = given.at("seen").get<Eigen::Index>();
    const Data unseen{x.bottomRows(x.rows() - seen), y.tail(y.size() - seen)};
    double error = 0;
    for (const unsigned seed : {1, 2, 3, 4, 5})
      error += rms_error(BoostedTrees::fit(x.topRows(seen), y.head(seen), {.seed = seed}), unseen);
    EXPECT_LT(error / 5, 1.2 * given.at("rms_error").get<double>()) << given.at("name");
  }
}

}  // namespace
}  // namespace ampere
