#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ampere/error.h"
#include "ampere/meter.h"

namespace ampere {
namespace {

[[noreturn]] void fail_unmoved(const MeterInfo& info, const std::string& domain, Seconds time) {
  const double period_s = info.update_period.count(), time_s = time.count();
  if (time_s > period_s)
    throw Error(ErrorCode::failed, fmt::format("{}: {} is stuck: it counted nothing in {:.3g} s",
                                               info.name, domain, time_s));
  throw Error(ErrorCode::failed,
              fmt::format("{}: {} counted nothing: the window is shorter than its period of {:.3g} "
                          "s; measure for longer",
                          info.name, domain, period_s));
}

// A sensor of power may honestly say 0 W of a part that is switched off; a counter that stands
// still says nothing.
void require_moved(const MeterInfo& info, const Usage& usage) {
  if (usage.total.value <= 0) fail_unmoved(info, "the energy", usage.time);
  if (info.sensing != Sensing::counter) return;
  for (std::size_t i = 0; i < usage.energy.size(); ++i)
    if (info.domains[i].in_total && usage.energy[i].value <= 0)
      fail_unmoved(info, info.domains[i].name, usage.time);
}

std::optional<double> uncertainty_of(const MeterInfo& info, const Usage& usage,
                                     std::int64_t windows) {
  if (info.sensing == Sensing::modelled || info.source == Source::modelled) return std::nullopt;
  const auto domains = std::ranges::count(info.domains, true, &MeterDomain::in_total);
  return std::sqrt(static_cast<double>(windows)) * (info.update_period / usage.time) +
         static_cast<double>(domains) * info.resolution.value / usage.total.value;
}

void require_of(const MeterInfo& info, std::size_t domains) {
  if (domains != info.domains.size())
    throw Error(ErrorCode::usage,
                fmt::format("a reading of {} domains is not one of {}, which has {}", domains,
                            info.name, info.domains.size()));
}

}  // namespace

Usage used_in(const MeterInfo& info, Seconds time, std::vector<Joules> energy,
              std::int64_t windows) {
  require_of(info, energy.size());
  Usage usage;
  usage.time = time;
  usage.energy = std::move(energy);
  usage.total = total(info, {time, usage.energy});
  require_moved(info, usage);
  if (time.count() <= 0)
    throw Error(ErrorCode::failed, fmt::format("{}: the clock stood still", info.name));
  usage.uncertainty = uncertainty_of(info, usage, windows);
  return usage;
}

Usage used(const MeterInfo& info, const Reading& before, const Reading& after) {
  require_of(info, before.energy.size());
  require_of(info, after.energy.size());
  if (after.time < before.time)
    throw Error(ErrorCode::usage, fmt::format("{}: the first reading is {:.3g} s after the second",
                                              info.name, (before.time - after.time).count()));
  std::vector<Joules> energy;
  for (std::size_t i = 0; i < before.energy.size(); ++i) {
    energy.push_back(after.energy[i] - before.energy[i]);
    if (energy.back().value < 0)
      throw Error(ErrorCode::failed, fmt::format("{}: {} counted down by {:.3g} J", info.name,
                                                 info.domains[i].name, -energy.back().value));
  }
  return used_in(info, after.time - before.time, std::move(energy));
}

}  // namespace ampere
