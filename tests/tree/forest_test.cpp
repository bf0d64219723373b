#include "tree/forest.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ampere/error.h"
#include "base/json.h"
#include "base/text.h"

namespace ampere {
namespace {

Eigen::MatrixXd forest_matrix(const Json& rows) {
  Eigen::MatrixXd matrix(rows.size(), rows.at(0).size());
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) matrix(i, j) = rows[i][j].get<double>();
  return matrix;
}

double rms_error(const RandomForest& forest, const Eigen::MatrixXd& x, const Eigen::VectorXd& y) {
  double squares = 0;
  for (Eigen::Index i = 0; i < y.size(); ++i) squares += std::pow(forest(x.row(i)).mean - y[i], 2);
  return std::sqrt(squares / static_cast<double>(y.size()));
}

// Draws differ, so errors on points not seen are compared (tests/data/tree/make_forest.py).
TEST(RandomForest, IsAsGoodAsThatOfScikitLearn) {
  const Json data = Json::parse(read_text_file(AMPERE_TEST_DATA "/tree/boosting.json"));
  const Json known = Json::parse(read_text_file(AMPERE_TEST_DATA "/tree/forest.json"));
  for (std::size_t i = 0; i < data.size(); ++i) {
    const Eigen::MatrixXd x = forest_matrix(data[i].at("x"));
    const auto values = data[i].at("y").get<std::vector<double>>();
    const Eigen::VectorXd y =
        Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
    const auto seen = data[i].at("seen").get<Eigen::Index>(), unseen = y.size() - seen;
    double error = 0;
    for (const unsigned seed : {1, 2, 3, 4, 5})
      error += rms_error(RandomForest::fit(x.topRows(seen), y.head(seen),
                                           {.trees = known.at("trees").get<int>(),
                                            .columns = known.at("columns").get<int>(),
                                            .seed = seed}),
                         x.bottomRows(unseen), y.tail(unseen));
    const double theirs = known.at("cases")[i].at("rms_error").get<double>();
    EXPECT_LT(error / 5, 1.1 * theirs) << data[i].at("name");
    EXPECT_GT(error / 5, 0.7 * theirs) << data[i].at("name");
  }
}

Eigen::MatrixXd ramp(Eigen::Index rows) { return Eigen::VectorXd::LinSpaced(rows, 0, 1); }

TEST(RandomForest, NeverLeavesTheRangeOfWhatItSaw) {
  const Eigen::VectorXd y = 3 * ramp(50).array().square() + 1;
  const RandomForest forest = RandomForest::fit(ramp(50), y, {.trees = 30});
  for (const double at : {-10.0, 0.0, 0.3, 1.0, 99.0}) {
    const double mean = forest(Eigen::VectorXd::Constant(1, at)).mean;
    EXPECT_GE(mean, 1);
    EXPECT_LE(mean, 4);
  }
}

TEST(RandomForest, SaysHowFarItsTreesAreApart) {
  Eigen::VectorXd y = Eigen::VectorXd::Constant(40, 5);
  y[20] = 50;
  const RandomForest forest = RandomForest::fit(ramp(40), y, {.trees = 100});
  EXPECT_GT(forest(ramp(40).row(20)).stddev, std::sqrt(10));
  EXPECT_EQ(forest(ramp(40).row(3)).stddev, 0);
}

TEST(RandomForest, IsTheSameForTheSameSeed) {
  const Eigen::VectorXd y = ramp(30).array().sin();
  const auto said = [&](unsigned seed) {
    return RandomForest::fit(ramp(30), y, {.trees = 5, .seed = seed})(ramp(3).row(1)).mean;
  };
  EXPECT_EQ(said(3), said(3));
  EXPECT_NE(said(3), said(4));
}

TEST(RandomForest, OfOnePointOrConstantColumnsIsTheirMean) {
  EXPECT_EQ(RandomForest::fit(Eigen::MatrixXd::Ones(1, 3),
                              Eigen::VectorXd::Constant(1, 7))(Eigen::VectorXd::Zero(3))
                .mean,
            7);
  const RandomForest forest =
      RandomForest::fit(Eigen::MatrixXd::Ones(40, 2), Eigen::VectorXd::LinSpaced(40, 0, 2));
  EXPECT_NEAR(forest(Eigen::VectorXd::Zero(2)).mean, 1, 0.1);
}

TEST(RandomForest, IsNotMadeOfNothing) {
  EXPECT_THROW(RandomForest::fit(Eigen::MatrixXd(0, 2), Eigen::VectorXd(0)), Error);
  EXPECT_THROW(RandomForest::fit(ramp(3), Eigen::VectorXd::Ones(2)), Error);
  EXPECT_THROW(RandomForest::fit(ramp(3), Eigen::VectorXd::Ones(3), {.trees = 0}), Error);
}

}  // namespace
}  // namespace ampere
