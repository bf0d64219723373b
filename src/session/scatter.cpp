#include "session/scatter.h"

#include <cmath>

#include "base/stats.h"
#include "method/operations/program_estimate.h"

namespace ampere {

void Scatter::add(const std::vector<double>& times) {
  std::vector<double> logs;
  for (const double time : times) logs.push_back(std::log(time));
  const auto deviation = standard_deviation(logs);
  if (!deviation) return;
  const double more = static_cast<double>(logs.size()) - 1;
  squares_ += more * *deviation * *deviation;
  degrees_ += more;
}

double Scatter::of_another(double count) const {
  if (degrees_ == 0) return 0;
  const double upper = (1 + kUsualConfidence) / 2;
  return std::sqrt(squares_ / degrees_ * (1 + 1 / count)) * student_quantile(upper, degrees_) /
         normal_quantile(upper);
}

}  // namespace ampere
