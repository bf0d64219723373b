// Vectors and matrices in stored JSON, packed.
#pragma once

#include <Eigen/Dense>

#include "base/json.h"

namespace ampere {

Json packed(const Eigen::VectorXd& values);
Json packed(const Eigen::MatrixXd& values);  // column by column

// Throw Error(usage) for numbers that are not finite and for rows that are not whole.
Eigen::VectorXd read_vector(const JsonField& json);
Eigen::MatrixXd read_matrix(const JsonField& json, Eigen::Index columns);

}  // namespace ampere
