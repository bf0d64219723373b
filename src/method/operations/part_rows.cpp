#include "method/operations/part_rows.h"

namespace ampere {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kFarthest = 6;  // standard deviations: beyond them nothing was timed anyway
constexpr double kMicroseconds = 1e6;

}  // namespace

MatrixXd part_rows(const std::vector<PartQuery>& queries, const Roofline& roofline,
                   const NameEffects& names) {
  if (queries.empty()) return {};
  const std::size_t columns = queries.front().features->values.size();
  MatrixXd rows(static_cast<Index>(queries.size()), static_cast<Index>(columns) + 2);
  for (Index i = 0; i < rows.rows(); ++i) {
    const PartQuery& query = queries[static_cast<std::size_t>(i)];
    for (std::size_t j = 0; j < columns; ++j)
      rows(i, static_cast<Index>(j)) = query.features->values[j];
    rows(i, rows.cols() - 2) = std::log2(kMicroseconds * roofline.seconds(query.features->work));
    rows(i, rows.cols() - 1) = names.of(query.name).value_or(0);
  }
  return rows;
}

MatrixXd standardized(const PartModel& model, const MatrixXd& rows) {
  std::vector<Index> used;
  for (Index j = 0; j < model.scale.size(); ++j)
    if (model.scale[j] > 0) used.push_back(j);
  MatrixXd z(rows.rows(), static_cast<Index>(used.size()));
  for (std::size_t j = 0; j < used.size(); ++j)
    z.col(static_cast<Index>(j)) =
        ((rows.col(used[j]).array() - model.centre[used[j]]) / model.scale[used[j]])
            .max(-kFarthest)
            .min(kFarthest);
  return z;
}

}  // namespace ampere
