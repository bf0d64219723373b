#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "method/ampere/fit.h"

namespace ampere {
namespace {

// A handful of windows can agree by luck; no point is trusted further than this share of its mean.
constexpr double kSmallestRelativeError = 0.003;

double noise_variance(const Quantity& measured) {
  const double error = std::max(assumed_error(measured), kSmallestRelativeError * measured.mean);
  return error * error;
}

void subtract(const GaussianProcess& part, const Eigen::VectorXd& at, double& whole,
              double& whole_variance) {
  Eigen::VectorXd mean, variance;
  part.predict(Eigen::MatrixXd(at.transpose()), mean, variance);
  whole -= mean(0);
  whole_variance += variance(0);
}

// E_hid(C1, C2) = E_model(C1, C2) − Ê_in(C1) − Ê_out(C2), and likewise with one companion or none.
void isolate_point(const BlockKind& kind, const Observation& observation, const Fits& known,
                   Eigen::Index row, KindData& data) {
  const Measurement& measured = *observation.measurement;
  data.energy[row] = measured.energy_j.mean;
  data.energy_noise_variance[row] = noise_variance(measured.energy_j);
  data.time[row] = measured.time_s.mean;
  data.time_noise_variance[row] = noise_variance(measured.time_s);
  bool found = false;
  for (const Block& block : parse_blocks(observation.model)) {
    Eigen::VectorXd at(block.features.size());
    std::ranges::copy(block.features, at.begin());
    if (!found && block.kind->key == kind.key) {
      found = true;
      data.x.row(row) = at;
      continue;
    }
    const auto fit = known.find(block.kind->key);
    if (fit == known.end())
      throw Error(ErrorCode::unknown,
                  fmt::format("'{}' cannot be isolated: its companion '{}' is not fitted yet",
                              kind.title, block.kind->title));
    subtract(fit->second.energy, at, data.energy[row], data.energy_noise_variance[row]);
    subtract(fit->second.time, at, data.time[row], data.time_noise_variance[row]);
  }
  if (!found)
    throw Error(ErrorCode::failed,
                fmt::format("an observation stored for '{}' does not contain it", kind.title));
}

}  // namespace

bool can_isolate(const BlockKind& kind, const Observation& observation, const Fits& known) {
  return std::ranges::all_of(parse_blocks(observation.model), [&](const Block& block) {
    return block.kind->key == kind.key || known.contains(block.kind->key);
  });
}

KindData isolate(const BlockKind& kind, std::span<const Observation> observations,
                 const Fits& known) {
  const auto rows = static_cast<Eigen::Index>(std::ranges::count_if(
      observations, [](const Observation& one) { return one.measurement.has_value(); }));
  KindData data{Eigen::MatrixXd(rows, kind.features.size()), Eigen::VectorXd(rows),
                Eigen::VectorXd(rows), Eigen::VectorXd(rows), Eigen::VectorXd(rows)};
  Eigen::Index row = 0;
  for (const Observation& observation : observations)
    if (observation.measurement) isolate_point(kind, observation, known, row++, data);
  return data;
}

}  // namespace ampere
