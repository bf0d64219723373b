#include "serve/power_watch.h"

#include <algorithm>
#include <chrono>

#include "ampere/error.h"

namespace ampere {

struct PowerWatch::Watched {
  WatchedMeter shown;
  std::unique_ptr<Meter> meter;  // nothing where it could not be opened
  std::optional<Reading> first, last;
};

namespace {

std::vector<MeterProbe> wanted_meters(const std::vector<std::string>& names) {
  if (names.empty()) return probe_meters();
  std::vector<MeterProbe> wanted;
  for (const std::string& name : names) wanted.push_back({name, true, "", {}});
  return wanted;
}

}  // namespace

PowerWatch::PowerWatch(const std::vector<std::string>& meters) {
  for (const MeterProbe& probe : wanted_meters(meters)) {
    auto watched = std::make_unique<Watched>();
    watched->shown.name = probe.name;
    watched->shown.reason = probe.available ? "" : probe.reason;
    if (probe.available) try {
        watched->meter = open_meter(probe.name);
        watched->shown.source = watched->meter->info().source;
        for (const MeterDomain& domain : watched->meter->info().domains)
          watched->shown.domains.push_back({domain.name, {}, {}});
      } catch (const Error& error) {
        watched->shown.reason = error.what();
      }
    meters_.push_back(std::move(watched));
  }
  thread_ = std::thread([this] { run(); });
}

PowerWatch::~PowerWatch() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  ends_.notify_all();
  thread_.join();
}

std::vector<WatchedMeter> PowerWatch::now() const {
  const std::lock_guard lock(mutex_);
  std::vector<WatchedMeter> shown;
  for (const auto& watched : meters_) shown.push_back(watched->shown);
  return shown;
}

void PowerWatch::run() {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  while (!ending_) {
    for (const auto& watched : meters_) {
      if (!watched->meter) continue;
      lock.unlock();
      read(*watched);
      lock.lock();
    }
    ends_.wait_for(lock, 1s, [&] { return ending_; });
  }
}

// A meter that fails shows why, and is asked again the next time: a driver may be reloaded. Where a
// counter did not move, the power is that of the longer time since it last did.
void PowerWatch::read(Watched& watched) try {
  const Reading reading = watched.meter->read();
  const std::lock_guard lock(mutex_);
  watched.shown.reason.clear();
  if (!watched.first) watched.first = watched.last = reading;
  const Seconds passed = reading.time - watched.last->time;
  for (std::size_t i = 0; i < watched.shown.domains.size(); ++i) {
    WatchedDomain& domain = watched.shown.domains[i];
    domain.energy = {reading.energy[i].value - watched.first->energy[i].value};
    if (passed > watched.meter->info().update_period && passed > Seconds(0))
      domain.power =
          Watts{(reading.energy[i].value - watched.last->energy[i].value) / passed.count()};
  }
  if (passed > watched.meter->info().update_period) watched.last = reading;
} catch (const Error& error) {
  const std::lock_guard lock(mutex_);
  watched.shown.reason = error.what();
  for (WatchedDomain& domain : watched.shown.domains) domain.power.reset();
}

}  // namespace ampere
