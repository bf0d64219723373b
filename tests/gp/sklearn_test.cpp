// Against numbers that scikit-learn computed (tests/data/gp/make_fixtures.py).
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "ampere/gp.h"
#include "base/json.h"
#include "base/text.h"

namespace ampere {
namespace {

Json fixtures(const std::string& name) {
  const std::string path = std::string(AMPERE_TEST_DATA) + "/gp/" + name;
  return parse_json(read_text_file(path), path);
}

Eigen::VectorXd vector_of(const Json& list) {
  const auto values = list.get<std::vector<double>>();
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

Eigen::MatrixXd matrix_of(const Json& rows) {
  Eigen::MatrixXd matrix(rows.size(), rows.at(0).size());
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    matrix.row(i) = vector_of(rows.at(static_cast<std::size_t>(i)));
  }
  return matrix;
}

GaussianProcess with_given(const Json& given) {
  return GaussianProcess::with({given.at("signal_variance"), vector_of(given.at("length_scales")),
                                given.at("noise_variance")},
                               matrix_of(given.at("x")), vector_of(given.at("y")),
                               vector_of(given.at("noise")));
}

TEST(GpAgainstSklearn, LikelihoodAgreesAtEqualHyperparameters) {
  for (const Json& given : fixtures("fixed.json")) {
    SCOPED_TRACE(given.at("name"));
    EXPECT_NEAR(with_given(given).log_marginal_likelihood(), given.at("lml"), 1e-6);
  }
}

TEST(GpAgainstSklearn, MeansAndDeviationsAgreeAtEqualHyperparameters) {
  for (const Json& given : fixtures("fixed.json")) {
    SCOPED_TRACE(given.at("name"));
    Eigen::VectorXd mean, variance;
    with_given(given).predict(matrix_of(given.at("at")), mean, variance);
    const Eigen::VectorXd deviation = variance.cwiseSqrt();
    EXPECT_LT((mean - vector_of(given.at("mean"))).cwiseAbs().maxCoeff(), 1e-6);
    EXPECT_LT((deviation - vector_of(given.at("deviation"))).cwiseAbs().maxCoeff(), 1e-6);
  }
}

TEST(GpAgainstSklearn, CovariancesAgreeAtEqualHyperparameters) {
  for (const Json& given : fixtures("fixed.json")) {
    SCOPED_TRACE(given.at("name"));
    const Eigen::MatrixXd covariance = with_given(given).covariance(matrix_of(given.at("at")));
    EXPECT_LT((covariance - matrix_of(given.at("covariance"))).cwiseAbs().maxCoeff(), 1e-6);
  }
}

TEST(GpAgainstSklearn, FindsAnOptimumAtLeastAsGood) {
  for (const Json& given : fixtures("fitted.json")) {
    SCOPED_TRACE(given.at("name"));
    const GaussianProcess gp = GaussianProcess::fit(
        matrix_of(given.at("x")), vector_of(given.at("y")), vector_of(given.at("noise")));
    EXPECT_GE(gp.log_marginal_likelihood(), given.at("lml").get<double>() - 1e-6);
  }
}

}  // namespace
}  // namespace ampere
