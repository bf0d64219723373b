#include "virtual_device.h"

#include <algorithm>
#include <cmath>

namespace ampere::testing {
namespace {

class VirtualJob final : public TrainJob {
 public:
  explicit VirtualJob(std::shared_ptr<VirtualDevice> device) : device_(std::move(device)) {}
  void run(int iterations) override { device_->run(iterations); }

 private:
  std::shared_ptr<VirtualDevice> device_;
};

class VirtualTrainer final : public Trainer {
 public:
  explicit VirtualTrainer(std::shared_ptr<VirtualDevice> device) : device_(std::move(device)) {}
  std::unique_ptr<TrainJob> prepare(const Model& model, const Setup&) override {
    device_->on_prepare(model.name());
    device_->iterations = 0;
    device_->advance(0.5, device_->idle_w);
    return std::make_unique<VirtualJob>(device_);
  }

 private:
  std::shared_ptr<VirtualDevice> device_;
};

class VirtualMeter final : public Meter {
 public:
  explicit VirtualMeter(std::shared_ptr<VirtualDevice> device) : device_(std::move(device)) {
    info_.name = "virtual";
    info_.method = "simulated counter";
    info_.domains = {{"device", true}, {"part of it", false}};
    info_.source = Source::simulated;
  }
  const MeterInfo& info() const override {
    info_.update_period = Seconds{device_->period_s};
    return info_;
  }
  Reading read() override {
    const bool steps = device_->period_s > 0;
    const double stamp = steps && device_->stamps_steps ? device_->step_s : device_->now_s;
    const double energy = steps ? device_->shown_j : device_->energy_j;
    return {Seconds{stamp}, {Joules{energy}, Joules{energy / 2}}};
  }
  MeterState state() override { return device_->state(); }

 private:
  std::shared_ptr<VirtualDevice> device_;
  mutable MeterInfo info_;
};

class VirtualClock final : public Clock {
 public:
  explicit VirtualClock(std::shared_ptr<VirtualDevice> device) : device_(std::move(device)) {}
  Seconds now() override { return Seconds{device_->now_s}; }
  void sleep(Seconds duration) override { device_->advance(duration.count(), device_->idle_w); }
  std::optional<Seconds> cpu_time() override { return Seconds{device_->now_s / 2}; }

 private:
  std::shared_ptr<VirtualDevice> device_;
};

}  // namespace

void VirtualDevice::advance(double seconds, double watts) {
  const double end = now_s + seconds;
  if (counts && period_s > 0) {
    const double step = std::floor(end / period_s) * period_s;
    if (step > now_s) {
      shown_j = energy_j + watts * (step - now_s);
      step_s = step;
    }
  }
  if (counts) energy_j += watts * seconds;
  now_s = end;
}

void VirtualDevice::run(int count) {
  on_run(count);
  const int cold =
      static_cast<int>(std::clamp<std::int64_t>(cold_iterations - iterations, 0, count));
  iterations += count;
  // Power alternates around its mean from one tenth of a second to the next.
  const double sign = static_cast<std::int64_t>(now_s * 10) % 2 == 0 ? 1 : -1;
  const double watts = busy_w * (1 + sign * spread);
  advance((count - cold + cold * cold_factor) * iteration_s, watts);
}

VirtualRig make_virtual_rig(WindowSink on_window, const std::string& name) {
  auto device = std::make_shared<VirtualDevice>();
  DeviceInfo info;
  info.name = name;
  info.meter = "virtual (simulated counter)";
  info.source = Source::simulated;
  auto rig = make_bench_rig(info, std::make_unique<VirtualTrainer>(device),
                            std::make_unique<VirtualMeter>(device),
                            std::make_unique<VirtualClock>(device), std::move(on_window));
  return {device, std::move(rig)};
}

Model tiny_model(const std::string& name) {
  ModelBuilder builder(name);
  builder.add(Input{flat(8), false}, std::vector<int>{}, "in");
  builder.add(Linear{4, true}, "fc");
  return std::move(builder).build();
}

}  // namespace ampere::testing
