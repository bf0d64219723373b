#include "method/ampere/kind_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "ampere/error.h"
#include "method/ampere/kind_within.h"
#include "method/ampere/profile.h"

namespace ampere {
namespace {

std::shared_ptr<const BlockKind> find_kind(const Store& store, std::int64_t profile,
                                           const std::string& key) {
  for (const Observation& observation :
       store.find({.profile = profile, .purpose = Purpose::variant, .kind = key, .most = 1}))
    if (auto kind = kind_within(observation.model, key)) return kind;
  throw Error(ErrorCode::failed,
              fmt::format("profile {} has a fit of '{}' and no measurement of it", profile, key));
}

KindPoint point_at(Eigen::Index row, const KindFit& fit, const BlockKind& kind,
                   std::int64_t batch) {
  KindPoint point;
  for (const double feature : fit.energy.x().row(row))
    point.features.push_back(std::llround(feature));
  point.training_flops = count(instantiate(kind, point.features), batch).training_flops;
  point.energy_j = fit.energy.y()[row];
  point.energy_sd = std::sqrt(fit.energy.noise_variance()[row]);
  point.time_s = fit.time.y()[row];
  point.time_sd = std::sqrt(fit.time.noise_variance()[row]);
  return point;
}

}  // namespace

std::vector<KindPoints> kind_points(const Store& store, const ProfileRow& profile) {
  std::vector<KindPoints> kinds;
  for (const auto& [key, fit] : read_fits(store.fits(profile.id))) {
    const auto kind = find_kind(store, profile.id, key);
    KindPoints of{key, fit.title, fit.role, fit.features, {}};
    for (Eigen::Index row = 0; row < fit.energy.y().size(); ++row)
      of.points.push_back(point_at(row, fit, *kind, profile.setup.batch));
    kinds.push_back(std::move(of));
  }
  if (kinds.empty())
    throw Error(ErrorCode::unknown,
                fmt::format("profile {} has no points of block kinds; profile by the method ampere "
                            "to measure them",
                            profile.id),
                Remedy::profile, "ampere");
  return kinds;
}

}  // namespace ampere
