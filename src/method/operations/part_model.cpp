#include "method/operations/part_model.h"

#include <algorithm>
#include <cmath>

#include "ampere/error.h"
#include "method/operations/part_rows.h"

namespace ampere {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kMostDeviation = 1.5;
constexpr double kForeignDeviation = 0.5;  // on top, for a name that was not timed
constexpr double kNoModelDeviation = 1.0;

}  // namespace

std::vector<PartAnswer> predict(const PartModel& model, const Roofline& roofline,
                                const std::vector<PartQuery>& queries) {
  std::vector<PartAnswer> answers;
  for (const PartQuery& query : queries)
    answers.push_back({std::exp(model.offset) * roofline.seconds(query.features->work),
                       kNoModelDeviation, !model.names.of(query.name).has_value()});
  if (!model.has_process() || queries.empty()) return answers;
  const MatrixXd rows = part_rows(queries, roofline, model.names);
  if (rows.cols() != model.centre.size())
    throw Error(ErrorCode::failed,
                "the profile was made with other features of operations; profile the device again",
                Remedy::general_profile);
  const TrendedProcess::Predictions predicted = model.process.predict(standardized(model, rows));
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const auto row = static_cast<Index>(i);
    answers[i].device_s =
        roofline.seconds(queries[i].features->work) * std::exp(predicted.mean[row]);
    const double own = std::max(kLeastMapDeviation, std::sqrt(predicted.variance[row]));
    const double whole = answers[i].foreign ? std::hypot(own, kForeignDeviation) : own;
    answers[i].deviation = std::min(kMostDeviation, model.inflation * whole);
  }
  return answers;
}

}  // namespace ampere
