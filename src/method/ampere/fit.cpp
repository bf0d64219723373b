#include "method/ampere/fit.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"

namespace ampere {
namespace {

Source weakest_source(std::span<const Observation> observations) {
  Source weakest = Source::measured;
  for (const Observation& observation : observations)
    if (observation.measurement) weakest = std::max(weakest, observation.measurement->source);
  return weakest;
}

}  // namespace

KindFit fit_kind(const BlockKind& kind, std::span<const Observation> observations,
                 const Fits& known) {
  const KindData data = isolate(kind, observations, known);
  if (data.x.rows() == 0)
    throw Error(ErrorCode::unknown,
                fmt::format("'{}' was never measured successfully", kind.title));

  std::vector<std::string> names;
  std::vector<std::int64_t> low, high;
  for (Eigen::Index column = 0; column < data.x.cols(); ++column) {
    names.push_back(kind.features[column].name);
    low.push_back(static_cast<std::int64_t>(data.x.col(column).minCoeff()));
    high.push_back(static_cast<std::int64_t>(data.x.col(column).maxCoeff()));
  }
  return {kind.key,
          kind.title,
          kind.role,
          std::move(names),
          std::move(low),
          std::move(high),
          weakest_source(observations),
          GaussianProcess::fit(data.x, data.energy, data.energy_noise_variance),
          GaussianProcess::fit(data.x, data.time, data.time_noise_variance)};
}

}  // namespace ampere
