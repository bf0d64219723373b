#include "method/method.h"

#include <fmt/format.h>

#include "ampere/error.h"

namespace ampere {
namespace {

// Of those that did not fail.
template <class Item, class Result>
MeasuringCost cost_of(std::span<const Item> items, std::optional<Result> Item::*result) {
  MeasuringCost cost;
  for (const Item& item : items) {
    if (!(item.*result)) continue;
    ++cost.points;
    cost.seconds += (item.*result)->elapsed;
  }
  return cost;
}

}  // namespace

Precision precision_of(const ProfileOptions& options, Precision own) {
  if (options.measure_error) own.relative_error = *options.measure_error;
  if (options.point_seconds) own.time_limit = *options.point_seconds;
  return options.steady ? steadier(own) : own;
}

MeasuringCost cost_of(std::span<const Observation> observations) {
  return cost_of(observations, &Observation::measurement);
}

MeasuringCost cost_of(std::span<const BlockTiming> timings) {
  return cost_of(timings, &BlockTiming::timing);
}

MeasuringCost cost_with_times_of(std::span<const Observation> observations) {
  MeasuringCost cost = cost_of(observations);
  for (const Observation& observation : observations) {
    if (!observation.measurement) continue;
    if (observation.timing) cost.seconds += observation.timing->elapsed;
    if (observation.pace) cost.seconds += observation.pace->elapsed;
  }
  return cost;
}

std::string Method::evaluation_label(const ProfileOptions&, const Store&, std::int64_t) const {
  return "";
}

std::unique_ptr<Suggestions> Method::tests(const ProfileTask&, const ProfileOptions& options,
                                           const ProfileBench&) const {
  if (options.test_points == 0) return nullptr;
  throw Error(ErrorCode::usage,
              fmt::format("the method {} has no fits of kinds to test, since it is tested on whole "
                          "networks; test points are for the method ampere",
                          name()));
}

std::vector<TestedKind> Method::tested(const Store&, std::int64_t, const ProfileTask&) const {
  return {};
}

ProfilePreview Method::preview(const ProfileTask&, const ProfileOptions&, Rig&, const Store&,
                               std::optional<std::int64_t>, const Setup&) const {
  ProfilePreview preview;
  preview.method = name();
  return preview;
}

std::optional<CrossValidation> Method::cross_validation(const Store&, const ProfileRow&) const {
  return std::nullopt;
}

void Method::conclude(const FitBench&, const ProfileTask&, ProfileSummary&) const {}

std::optional<UsualHost> Method::usual_host(const Store&, std::int64_t, const ProfileTask&) const {
  return std::nullopt;
}

std::unique_ptr<Suggestions> Method::refinement(const Model&, const ProfileBench&) const {
  return nullptr;
}

void Method::remember(Store&, std::int64_t, const Model&) const {}

Json Method::page(const Store&, const ProfileRow&, WindowShelf&) const { return nullptr; }

std::optional<double> Method::host_slowdown(const ProfileBench&, StopToken) const {
  return std::nullopt;
}

}  // namespace ampere
