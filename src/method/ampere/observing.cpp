#include "method/ampere/observing.h"

#include <fmt/format.h>

#include "base/interrupt.h"

namespace ampere {

Observing::Observing(Rig& rig, const std::string& rig_name, Store& store, const Setup& setup,
                     const ProfileOptions& options)
    : rig_(rig), store_(store), setup_(setup), options_(options) {
  summary_.profile = store_.open_profile(rig_.device(), setup_, rig_name);
}

bool Observing::may_begin() {
  stop_if_interrupted();
  summary_.stopped_by_time_limit |= options_.time_limit && whole_.elapsed() >= *options_.time_limit;
  return !summary_.stopped_by_time_limit;
}

Observation Observing::measure(const PlannedKind& planned,
                               const std::vector<std::int64_t>& features, Purpose purpose) {
  const Stopwatch stopwatch;
  Observation observation = observe(rig_, make_variant(*planned.kind, features, planned.companions),
                                    setup_, options_.precision);
  observation.purpose = purpose;
  observation.kind = planned.kind->key;
  observation.features = features;
  summary_.measuring += stopwatch.elapsed();
  ++(observation.measurement ? summary_.measured : summary_.failed);
  if (!observation.measurement)
    warn(fmt::format("'{}' failed at one point: {}", planned.kind->title, observation.failure));
  store_.add(summary_.profile, observation);
  return observation;
}

ProfileSummary Observing::finish() {
  summary_.elapsed = whole_.elapsed();
  return std::move(summary_);
}

}  // namespace ampere
