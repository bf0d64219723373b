#include "method/proxies/lasso.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "base/text.h"

namespace ampere {
namespace {

Eigen::MatrixXd matrix(const Json& rows) {
  Eigen::MatrixXd x(rows.size(), rows.at(0).size());
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    for (Eigen::Index j = 0; j < x.cols(); ++j) x(i, j) = rows[i][j].get<double>();
  return x;
}

Eigen::VectorXd column(const Json& values) {
  Eigen::VectorXd y(values.size());
  for (Eigen::Index i = 0; i < y.size(); ++i) y[i] = values[i].get<double>();
  return y;
}

TEST(Lasso, PredictsWhatScikitLearnPredicts) {
  const Json cases = Json::parse(read_text_file(AMPERE_TEST_DATA "/baseline/lasso.json"));
  for (const Json& fixture : cases) {
    const Eigen::VectorXd y = column(fixture.at("y"));
    const LinearModel model = fit_lasso(matrix(fixture.at("x")), y, fixture.at("folds"));
    const Eigen::MatrixXd fresh = matrix(fixture.at("new"));
    const double spread = std::sqrt((y.array() - y.mean()).square().mean());
    for (Eigen::Index i = 0; i < fresh.rows(); ++i)
      EXPECT_NEAR(model.predict(fresh.row(i)), fixture.at("predicted")[i].get<double>(),
                  1e-3 * spread)
          << fixture.at("name") << " row " << i;
  }
}

TEST(Lasso, LeavesOutWhatSaysNothing) {
  Eigen::MatrixXd x = Eigen::MatrixXd::Random(50, 6);
  const Eigen::VectorXd y = 5 * x.col(3);
  const LinearModel model = fit_lasso(x, y);
  EXPECT_NEAR(model.coefficients[3], 5, 0.05);
  for (const int other : {0, 1, 2, 4, 5}) EXPECT_NEAR(model.coefficients[other], 0, 0.05) << other;
}

TEST(Lasso, AColumnThatDoesNotVaryGetsNoWeight) {
  Eigen::MatrixXd x = Eigen::MatrixXd::Random(20, 2);
  x.col(0).setConstant(10);
  const LinearModel model = fit_lasso(x, x.col(1));
  EXPECT_EQ(model.coefficients[0], 0);
  EXPECT_GT(model.coefficients[1], 0.9);
}

TEST(Lasso, TooFewRowsGiveTheirMean) {
  const LinearModel model = fit_lasso(Eigen::MatrixXd::Random(3, 8), Eigen::Vector3d(1, 2, 6));
  EXPECT_EQ(model.predict(Eigen::VectorXd::Random(8)), 3);
}

TEST(Lasso, AConstantIsItself) {
  const LinearModel model =
      fit_lasso(Eigen::MatrixXd::Random(12, 3), Eigen::VectorXd::Constant(12, 0.25));
  EXPECT_DOUBLE_EQ(model.predict(Eigen::Vector3d(100, -5, 2)), 0.25);
}

}  // namespace
}  // namespace ampere
