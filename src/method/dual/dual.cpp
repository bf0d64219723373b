#include "method/dual/dual.h"

#include <algorithm>

#include "method/dual/dual_model.h"
#include "method/suggestions.h"

namespace ampere {
DualData data_of(const DualEvidence& evidence) {
  DualData data;
  data.idle = evidence.idle;
  for (const BlockTiming& timing : evidence.timings)
    if (timing.timing && timing.timing->device_s > 0)
      data.timings[timing.kind].push_back(
          {timing.features, timing.timing->device_s, timing.timing->host_s});
  for (const Observation& network : evidence.networks) {
    if (!network.measurement) continue;
    NetworkRecord record{terms_of(network.model, evidence.setup),
                         network.measurement->energy_j.mean,
                         network.measurement->time_s.mean,
                         {},
                         network.pace,
                         network.round_widths,
                         cost_with_times_of({&network, 1}).seconds};
    if (network.timing && network.timing->device_s > 0) record.device_s = network.timing->device_s;
    data.networks.push_back(std::move(record));
    data.source = std::max(data.source, network.measurement->source);
  }
  return data;
}

SharedDualModel fit_dual(const DualEvidence& evidence) {
  DualModel model = fit_dual(data_of(evidence));
  model.setup = evidence.setup;
  return std::make_shared<const DualModel>(std::move(model));
}

const CrossValidation& check_of(const DualModel& model) { return model.check; }

void learn(TimeMaps& maps, std::span<const BlockTiming> timings) {
  for (const BlockTiming& timing : timings) {
    const auto map = maps.find(timing.kind);
    if (map != maps.end() && timing.timing && timing.timing->device_s > 0)
      map->second.learn({timing.features, timing.timing->device_s, timing.timing->host_s});
  }
}

SharedDualModel with_timings(const DualModel& model, std::span<const BlockTiming> timings) {
  auto wiser = std::make_shared<DualModel>(model);
  learn(wiser->maps, timings);
  return wiser;
}

bool has_host(const DualModel& model) { return !model.time.synchronous; }

SharedDualModel with_host(const DualModel& model, double slowdown) {
  auto slowed = std::make_shared<DualModel>(model);
  slowed->time.slow_host(slowdown);
  slowed->inflation = model.at_hand;
  return slowed;
}

}  // namespace ampere
