// Data sets and a reference shared by the tests of the Gaussian process.
#pragma once

#include <Eigen/Dense>
#include <cmath>

#include "ampere/gp.h"

namespace ampere {

struct GpData {
  Eigen::MatrixXd x;
  Eigen::VectorXd y, noise_variance;
};

// A wavy surface at scattered points: x(i, d) from a Weyl sequence, so the same everywhere.
inline GpData wavy_data(Eigen::Index points, Eigen::Index dimensions) {
  GpData data{Eigen::MatrixXd(points, dimensions), Eigen::VectorXd(points),
              Eigen::VectorXd(points)};
  for (Eigen::Index i = 0; i < points; ++i) {
    for (Eigen::Index d = 0; d < dimensions; ++d) {
      const double step = std::sqrt(2.0 + 1.7 * static_cast<double>(d));
      data.x(i, d) = 10 * std::fmod(step * static_cast<double>(i + 1), 1.0);
    }
    data.y(i) = 5 + data.x.row(i).array().sin().sum() + 0.3 * data.x.row(i).sum();
    data.noise_variance(i) = 1e-3 * static_cast<double>(1 + i % 3);
  }
  return data;
}

// The textbook beside the fast code: k(r) = σ²(1 + √5 r + 5r²/3) e^(−√5 r), entry by entry.
inline Eigen::MatrixXd plain_kernel(const GpHyperparameters& at, const Eigen::MatrixXd& a,
                                    const Eigen::MatrixXd& b) {
  Eigen::MatrixXd kernel(a.rows(), b.rows());
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    for (Eigen::Index j = 0; j < b.rows(); ++j) {
      double squared = 0;
      for (Eigen::Index d = 0; d < a.cols(); ++d) {
        squared += std::pow((a(i, d) - b(j, d)) / at.length_scales(d), 2);
      }
      const double r = std::sqrt(squared);
      kernel(i, j) = at.signal_variance * (1 + std::sqrt(5.0) * r + 5 * squared / 3) *
                     std::exp(-std::sqrt(5.0) * r);
    }
  }
  return kernel;
}

}  // namespace ampere
