// Operations of one part as rows of numbers.
#pragma once

#include "method/operations/part_model.h"

namespace ampere {

// The features, log2 of the roofline's time in microseconds, and the effect of the name.
Eigen::MatrixXd part_rows(const std::vector<PartQuery>& queries, const Roofline& roofline,
                          const NameEffects& names);

// (x − centre) / scale of the columns that are used, at most 6 on either side.
Eigen::MatrixXd standardized(const PartModel& model, const Eigen::MatrixXd& rows);

}  // namespace ampere
