#include "base/packed_matrix.h"

#include "ampere/error.h"
#include "base/packed.h"

namespace ampere {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Json packed(const VectorXd& values) {
  return pack(std::span(values.data(), static_cast<std::size_t>(values.size())));
}

Json packed(const MatrixXd& values) {
  return pack(std::span(values.data(), static_cast<std::size_t>(values.size())));
}

VectorXd read_vector(const JsonField& json) try {
  const std::vector<double> numbers = unpack_doubles(json.text());
  const Eigen::Map<const VectorXd> values(numbers.data(), static_cast<Index>(numbers.size()));
  if (!values.allFinite()) json.fail("has a number that is not finite");
  return values;
} catch (const Error& error) {
  json.fail(error.what());
}

MatrixXd read_matrix(const JsonField& json, Index columns) {
  const VectorXd values = read_vector(json);
  if (columns == 0 ? values.size() != 0 : values.size() % columns != 0)
    json.fail("does not have as many numbers in each row");
  return columns == 0 ? MatrixXd(0, 0)
                      : MatrixXd(Eigen::Map<const MatrixXd>(values.data(), values.size() / columns,
                                                            columns));
}

}  // namespace ampere
