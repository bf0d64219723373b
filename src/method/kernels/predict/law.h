// One quantity of one type of kernel over its features.
#pragma once

#include <Eigen/Dense>
#include <memory>

#include "base/json.h"
#include "method/kernels/kernel_fit.h"

namespace ampere {

// One row per kernel: the numbers themselves for the forest, and what the process sees.
struct FeatureRows {
  Eigen::MatrixXd plain, logs;

  FeatureRows at(const std::vector<Eigen::Index>& rows) const {
    return {plain(rows, Eigen::all), logs(rows, Eigen::all)};
  }
  Eigen::Index size() const { return plain.rows(); }
};

class KernelLaw {
 public:
  virtual ~KernelLaw() = default;
  virtual void predict(const FeatureRows& at, Eigen::VectorXd& mean,
                       Eigen::VectorXd& stddev) const = 0;
  virtual Eigen::MatrixXd covariance(const FeatureRows& at) const = 0;  // of the values, jointly
  virtual Json json() const = 0;
};
using SharedLaw = std::shared_ptr<const KernelLaw>;

// `values` are above 0.
SharedLaw fit_gp_law(const FeatureRows& rows, const Eigen::VectorXd& values, unsigned seed);
SharedLaw fit_forest_law(const std::string& type, const FeatureRows& rows,
                         const Eigen::VectorXd& values, unsigned seed);

// Throw Error(usage) for what is no such law of that many features.
SharedLaw read_gp_law(const JsonField& json, Eigen::Index features);
SharedLaw read_forest_law(const JsonField& json, Eigen::Index features);

}  // namespace ampere
