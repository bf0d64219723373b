#include "virtual_device.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "virtual_learner.h"

namespace ampere::testing_support {
namespace {

class VirtualJob final : public TrainJob {
 public:
  VirtualJob(std::shared_ptr<VirtualDevice> device, std::string model)
      : device_(std::move(device)), model_(std::move(model)) {}
  void run(int iterations) override { device_->run(iterations, model_); }
  std::optional<StepTimes> time_step() override { return device_->step_times; }

  Completed run_ahead(int iterations) override {
    if (!device_->works_ahead) return TrainJob::run_ahead(iterations);
    device_->advance(iterations * device_->host_s, device_->busy_w);
    device_->iterations += iterations;
    free_s_ = std::max(free_s_, device_->now_s) + iterations * device_->iteration_s;
    queue_.push_back({iterations, free_s_});
    if (queue_.size() <= 2) return {};
    const auto [count, end_s] = queue_.front();
    queue_.pop_front();
    device_->advance(std::max(0.0, end_s - device_->now_s), device_->busy_w);
    return {count, Seconds{device_->now_s - end_s}};
  }

 private:
  std::shared_ptr<VirtualDevice> device_;
  std::string model_;
  std::deque<std::pair<int, double>> queue_;  // iterations, and when they end
  double free_s_ = 0;
};

class VirtualTrainer final : public Trainer {
 public:
  explicit VirtualTrainer(std::shared_ptr<VirtualDevice> device) : device_(std::move(device)) {}
  SetupRange setups() const override { return device_->setups; }
  std::unique_ptr<TrainJob> prepare(const Model& model, const Setup&) override {
    device_->on_prepare(model.name());
    device_->iterations = 0;
    device_->advance(device_->prepare_s, device_->idle_w);
    return std::make_unique<VirtualJob>(device_, model.name());
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
  Seconds suspended() override { return Seconds{device_->suspended_s}; }
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

void VirtualDevice::run(int count, const std::string& model) {
  on_run(count);
  const int cold =
      static_cast<int>(std::clamp<std::int64_t>(cold_iterations - iterations, 0, count));
  iterations += count;
  // Power alternates around its mean from one tenth of a second to the next.
  const double sign = static_cast<std::int64_t>(now_s * 10) % 2 == 0 ? 1 : -1;
  const double watts = busy_w * (1 + sign * spread);
  const auto own = iteration_s_of.find(model);
  const double each_s = own == iteration_s_of.end() ? iteration_s : own->second;
  advance((count - cold + cold * cold_factor) * each_s, watts);
}

VirtualRig make_virtual_rig(const std::string& name) {
  auto device = std::make_shared<VirtualDevice>();
  DeviceInfo info;
  info.name = name;
  info.meter = "virtual (simulated counter)";
  info.source = Source::simulated;
  auto rig = make_bench_rig(info, std::make_unique<VirtualTrainer>(device),
                            std::make_unique<VirtualMeter>(device),
                            std::make_unique<VirtualClock>(device), make_virtual_learner(device));
  return {device, std::move(rig)};
}

Model tiny_model(const std::string& name) {
  ModelBuilder builder(name);
  builder.add(Input{flat(8), false}, std::vector<int>{}, "in");
  builder.add(Linear{4, true}, "fc");
  return std::move(builder).build();
}

}  // namespace ampere::testing_support
