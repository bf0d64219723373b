#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numbers>

#include "ampere/error.h"
#include "rig/bench_rig.h"
#include "rig/sim.h"
#include "rig/sim_noise.h"
#include "rig/sim_state.h"

namespace ampere {
namespace {

constexpr double kSlice = 0.25;       // s of training under one draw of noise
constexpr double kDriftPeriod = 120;  // s
constexpr double kStartSpread = 1;    // °C between measurements, either way
constexpr double kBuildTime = 0.2;    // s to build and allocate a network
constexpr double kColdTime = 0.3;     // s the first iteration takes longer: allocating, tuning
constexpr double kReadTime = 20e-6;   // s a reading takes
constexpr double kGiB = 1024.0 * 1024 * 1024;

class SimJob : public TrainJob {
 public:
  SimJob(const SimLaw& law, std::shared_ptr<SimState> state, SimCost cost, SimNoise noise)
      : law_(law), state_(std::move(state)), cost_(cost), noise_(std::move(noise)) {
    drift_phase_ = noise_.uniform();
    measurement_factor_ = noise_.factor(law_.noise.between);
  }

  void run(int iterations) override {
    double left = iterations;
    if (trained_s_ == 0) state_->advance(kColdTime, law_.static_w);
    while (left > 0) {
      if (slice_left_s_ <= 0) draw_slice();
      const double clock = state_->clock();
      const double nominal_s = sim_time_s(law_, cost_, clock);
      const double time_s = nominal_s * time_factor_;
      const double watts = sim_energy_j(law_, cost_, clock) / nominal_s * power_factor();
      const bool last = left * time_s <= slice_left_s_;
      const double duration_s = last ? left * time_s : slice_left_s_;
      state_->advance(duration_s, watts);
      trained_s_ += duration_s;
      slice_left_s_ -= duration_s;
      left = last ? 0 : left - duration_s / time_s;
    }
  }

 private:
  void draw_slice() {
    slice_left_s_ = kSlice;
    time_factor_ = noise_.factor(law_.noise.time);
    slice_factor_ = noise_.factor(law_.noise.power);
  }

  double power_factor() const {
    const double wave = std::sin(2 * std::numbers::pi * (trained_s_ / kDriftPeriod + drift_phase_));
    return measurement_factor_ * slice_factor_ * (1 + law_.noise.drift * wave);
  }

  const SimLaw& law_;
  std::shared_ptr<SimState> state_;
  SimCost cost_;
  SimNoise noise_;
  double drift_phase_ = 0, measurement_factor_ = 1;
  double time_factor_ = 1, slice_factor_ = 1;
  double slice_left_s_ = 0, trained_s_ = 0;
};

class SimTrainer : public Trainer {
 public:
  SimTrainer(const SimLaw& law, int seed, std::shared_ptr<SimState> state)
      : law_(law), seed_(seed), state_(std::move(state)) {}

  std::unique_ptr<TrainJob> prepare(const Model& model, const Setup& setup) override {
    const SimCost cost = checked_cost(model, setup);
    const std::string network = fmt::format("{} {}", model_hash(model), to_string(setup));
    SimNoise noise(fmt::format("{} {} {} {}", law_.name, seed_, network, measured_[network]++));
    const double phase = noise.uniform();
    state_->restart(phase, law_.thermal.start_c + kStartSpread * (2 * noise.uniform() - 1));
    state_->advance(kBuildTime, law_.idle_w);
    return std::make_unique<SimJob>(law_, state_, cost, std::move(noise));
  }

 private:
  SimCost checked_cost(const Model& model, const Setup& setup) const {
    if (setup.precision != "fp32")
      throw Error(ErrorCode::usage, fmt::format("the {} trains in fp32 only, not in '{}'",
                                                law_.title, setup.precision));
    const SimCost cost = sim_cost(law_, model, setup);
    if (cost.memory_bytes > law_.memory_bytes)
      throw Error(ErrorCode::failed,
                  fmt::format("out of memory: training {} at {} takes {:.1f} GiB and the {} has "
                              "{:.1f} GiB",
                              model.name(), to_string(setup), cost.memory_bytes / kGiB, law_.title,
                              law_.memory_bytes / kGiB));
    if (sim_time_s(law_, cost) <= 0)
      throw Error(ErrorCode::failed, fmt::format("{} has no layer to train", model.name()));
    return cost;
  }

  const SimLaw& law_;
  int seed_;
  std::shared_ptr<SimState> state_;
  std::map<std::string, int> measured_;
};

class SimMeter : public Meter {
 public:
  SimMeter(const SimLaw& law, std::shared_ptr<SimState> state)
      : law_(law), state_(std::move(state)) {
    info_ = {.name = "simulated",
             .domains = {{"device (simulated)", true}},
             .source = Source::simulated,
             .method = law.meter.sampled ? "simulated samples of power" : "simulated counter",
             .update_period = Seconds(law.meter.period_s)};
  }

  const MeterInfo& info() const override { return info_; }

  Reading read() override {
    state_->advance(kReadTime, law_.idle_w);
    return {state_->now(), {state_->metered()}};
  }

  MeterState state() override {
    MeterState state;
    state.temperature_c = state_->temperature_c();
    state.clock_mhz = law_.clock_mhz * state_->clock();
    return state;
  }

 private:
  const SimLaw& law_;
  std::shared_ptr<SimState> state_;
  MeterInfo info_;
};

class SimClock : public Clock {
 public:
  SimClock(const SimLaw& law, std::shared_ptr<SimState> state)
      : law_(law), state_(std::move(state)) {}
  Seconds now() override { return state_->now(); }
  void sleep(Seconds duration) override {
    if (duration.count() > 0) state_->advance(duration.count(), law_.idle_w);
  }

 private:
  const SimLaw& law_;
  std::shared_ptr<SimState> state_;
};

DeviceInfo describe(const SimLaw& law, const MeterInfo& meter) {
  DeviceInfo device{.name = law.title,
                    .hardware = law.hardware,
                    .driver = "simulated, law 1",
                    .framework = "simulated",
                    .meter = fmt::format("{} ({})", meter.name, meter.method),
                    .power_mode = fmt::format("{:.0f} MHz", law.clock_mhz),
                    .source = Source::simulated,
                    .fingerprint = ""};
  device.fingerprint = fingerprint_of(device);
  return device;
}

}  // namespace

std::unique_ptr<Rig> open_sim_rig(const std::string& name, int seed) {
  const SimLaw& law = find_sim_law(name);
  auto state = std::make_shared<SimState>(law);
  auto meter = std::make_unique<SimMeter>(law, state);
  DeviceInfo device = describe(law, meter->info());
  return make_bench_rig(std::move(device), std::make_unique<SimTrainer>(law, seed, state),
                        std::move(meter), std::make_unique<SimClock>(law, state));
}

Joules sim_true_energy(const std::string& name, const Model& model, const Setup& setup) {
  const SimLaw& law = find_sim_law(name);
  return {sim_energy_j(law, sim_cost(law, model, setup))};
}

Seconds sim_true_time(const std::string& name, const Model& model, const Setup& setup) {
  const SimLaw& law = find_sim_law(name);
  return Seconds(sim_time_s(law, sim_cost(law, model, setup)));
}

}  // namespace ampere
