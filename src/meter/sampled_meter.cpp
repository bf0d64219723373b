#include "meter/sampled_meter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "ampere/error.h"
#include "meter/ticker.h"
#include "meter/update_period.h"

namespace ampere {
namespace {

Watts sample(const PowerSensor& sensor, const std::string& meter, Watts most_power) {
  const Watts power = sensor.read();
  if (!std::isfinite(power.value) || power.value < 0 || power > most_power)
    throw Error(ErrorCode::failed, fmt::format("{}: {} gave {} W, which cannot be", meter,
                                               sensor.domain.name, power.value));
  return power;
}

class SampledMeter final : public Meter {
 public:
  SampledMeter(MeterInfo info, std::vector<PowerSensor> sensors, const SamplingOptions& options)
      : info_(std::move(info)), sensors_(std::move(sensors)), options_(options) {
    for (const PowerSensor& sensor : sensors_) info_.domains.push_back(sensor.domain);
    power_ = sample_all();
    last_ = {options_.now(), std::vector<Joules>(sensors_.size())};
    if (options_.sample_every.count() > 0)
      ticker_.emplace(options_.sample_every, [this] { look(); });
  }

  const MeterInfo& info() const override { return info_; }

  Reading read() override {
    const std::scoped_lock lock(mutex_);
    update();
    return last_;
  }

 private:
  std::vector<Watts> sample_all() const {
    std::vector<Watts> power;
    power.reserve(sensors_.size());
    for (const PowerSensor& sensor : sensors_)
      power.push_back(sample(sensor, info_.name, options_.most_power));
    return power;
  }

  // A failure stays: what was used between the last good sample and the next one is unknown.
  void update() {
    if (failure_) std::rethrow_exception(failure_);
    try {
      integrate();
    } catch (const Error& error) {
      // What was there at opening and is not any more has failed, whatever the system calls it.
      failure_ = std::make_exception_ptr(Error(ErrorCode::failed, error.what()));
    } catch (...) {
      failure_ = std::current_exception();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

  // E += (P₋ + P)/2 · Δt.
  void integrate() {
    std::vector<Watts> power = sample_all();
    const Seconds now = options_.now();
    const Seconds passed = now - last_.time;
    if (passed.count() < 0)
      throw Error(ErrorCode::failed,
                  fmt::format("{}: the clock went back by {:.3g} s; open the meter again",
                              info_.name, -passed.count()));
    if (passed > options_.longest_gap)
      throw Error(ErrorCode::failed,
                  fmt::format("{}: no sample for {:.3g} s (was the program stopped, or does a "
                              "sensor hang?), so what was used is unknown; open the meter again",
                              info_.name, passed.count()));
    for (std::size_t i = 0; i < power.size(); ++i)
      last_.energy[i] = last_.energy[i] + Watts{(power_[i].value + power[i].value) / 2} * passed;
    last_.time = now;
    power_ = std::move(power);
  }

  void look() {
    try {
      read();
    } catch (...) {
      // Kept for the next reader.
    }
  }

  MeterInfo info_;
  std::vector<PowerSensor> sensors_;
  SamplingOptions options_;
  std::mutex mutex_;          // guards what follows
  Reading last_;              // up to here
  std::vector<Watts> power_;  // then
  std::exception_ptr failure_;
  std::optional<Ticker> ticker_;  // last: uses what is above
};

// Throws when all that counts shows 0 W: a dead sensor, and no measurement of nothing.
void require_some_power(const MeterInfo& info, const std::vector<PowerSensor>& sensors,
                        const SamplingOptions& options) {
  std::string names;
  for (const PowerSensor& sensor : sensors) {
    if (!sensor.domain.in_total) continue;
    if (sample(sensor, info.name, options.most_power).value > 0) return;
    names += (names.empty() ? "" : ", ") + sensor.domain.name;
  }
  throw Error(ErrorCode::no_meter,
              fmt::format("{}: {} stays at 0 W: the sensor is stuck, or its part is switched off",
                          info.name, names));
}

// Between samples power is a guess, so the period is theirs where the sensor is faster.
void find_period(MeterInfo& info, const std::vector<PowerSensor>& sensors,
                 const SamplingOptions& options) {
  const auto first = std::ranges::find_if(
      sensors, [](const PowerSensor& sensor) { return sensor.domain.in_total; });
  if (first == sensors.end())
    throw Error(ErrorCode::no_meter, info.name + ": no sensor is part of a total");
  auto period = find_update_period(
      [&] { return sample(*first, info.name, options.most_power).value; }, options.patience);
  if (!period) {
    require_some_power(info, sensors, options);
    period = std::max(info.update_period, options.sample_every);
    info.caveats.push_back(
        fmt::format("{} held still while it was looked at for {} s, so how often it moves is not "
                    "known; taken as every {:.3g} s",
                    first->domain.name, options.patience.count(), period->count()));
  }
  info.update_period = std::max(*period, options.sample_every);
}

}  // namespace

std::unique_ptr<Meter> make_sampled_meter(MeterInfo info, std::vector<PowerSensor> sensors,
                                          const SamplingOptions& options) {
  if (sensors.empty())
    throw Error(ErrorCode::no_meter, fmt::format("{}: there is no sensor of power", info.name));
  info.sensing = Sensing::sampled;
  if (options.patience.count() > 0) find_period(info, sensors, options);
  return std::make_unique<SampledMeter>(std::move(info), std::move(sensors), options);
}

}  // namespace ampere
