#include "meter/sampled_meter.h"

#include <fmt/format.h>

#include <cmath>
#include <mutex>

#include "ampere/error.h"

namespace ampere {
namespace {

class SampledMeter final : public Meter {
 public:
  SampledMeter(MeterInfo info, std::vector<PowerSensor> sensors, const SamplingOptions& options)
      : info_(std::move(info)), sensors_(std::move(sensors)), options_(options) {
    for (const PowerSensor& sensor : sensors_) info_.domains.push_back(sensor.domain);
    last_ = {options_.now(), std::vector<Joules>(sensors_.size())};
    for (const PowerSensor& sensor : sensors_) power_.push_back(sample(sensor));
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
  Watts sample(const PowerSensor& sensor) const {
    const Watts power = sensor.read();
    if (!std::isfinite(power.value) || power.value < 0)
      throw Error(ErrorCode::failed, fmt::format("{}: {} gave {} W, which cannot be", info_.name,
                                                 sensor.domain.name, power.value));
    return power;
  }

  // A failure stays: what was used between the last good sample and the next one is unknown.
  void update() {
    if (failure_) std::rethrow_exception(failure_);
    try {
      integrate();
    } catch (...) {
      failure_ = std::current_exception();
      throw;
    }
  }

  // E += (P₋ + P)/2 · Δt.
  void integrate() {
    std::vector<Watts> power;
    for (const PowerSensor& sensor : sensors_) power.push_back(sample(sensor));
    const Seconds now = options_.now();
    const Seconds passed = now - last_.time;
    if (passed.count() < 0)
      throw Error(ErrorCode::failed,
                  fmt::format("{}: the clock went back by {:.3g} s", info_.name, -passed.count()));
    if (passed > options_.longest_gap)
      throw Error(ErrorCode::failed,
                  fmt::format("{}: no sample for {:.3g} s (did the machine sleep?), so what was "
                              "used is unknown; open the meter again",
                              info_.name, passed.count()));
    for (std::size_t i = 0; i < power.size(); ++i)
      last_.energy[i] = last_.energy[i] + Watts{(power_[i].value + power[i].value) / 2} * passed;
    last_.time = now;
    power_ = std::move(power);
  }

  void look() {
    try {
      read();
    } catch (const std::exception&) {
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

}  // namespace

std::unique_ptr<Meter> make_sampled_meter(MeterInfo info, std::vector<PowerSensor> sensors,
                                          const SamplingOptions& options) {
  info.sensing = Sensing::sampled;
  return std::make_unique<SampledMeter>(std::move(info), std::move(sensors), options);
}

}  // namespace ampere
