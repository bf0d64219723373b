#include "gp/check.h"

#include <string>

#include "ampere/error.h"

namespace ampere {

void check_points(const Eigen::MatrixXd& x, const Eigen::VectorXd& y,
                  const Eigen::VectorXd& noise_variance) {
  const auto fail = [](const std::string& what) {
    throw Error(ErrorCode::failed, "Gaussian process: " + what);
  };
  if (y.size() == 0) fail("no points: measure at least one");
  if (x.rows() != y.size() || noise_variance.size() != y.size()) {
    fail(std::to_string(x.rows()) + " rows of x, " + std::to_string(y.size()) +
         " values of y and " + std::to_string(noise_variance.size()) +
         " noise variances: give one of each per point");
  }
  if (!x.allFinite()) fail("x holds a value that is not finite");
  if (!y.allFinite()) fail("y holds a value that is not finite");
  if (!noise_variance.allFinite()) fail("a noise variance is not finite");
  if (noise_variance.minCoeff() < 0) fail("a noise variance is negative");
}

}  // namespace ampere
