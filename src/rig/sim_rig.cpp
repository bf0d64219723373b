#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ampere/error.h"
#include "program/operation_key.h"
#include "rig/bench_rig.h"
#include "rig/lowered_trace.h"
#include "rig/sim.h"
#include "rig/sim_noise.h"
#include "rig/sim_operation.h"
#include "rig/sim_state.h"
#include "rig/sim_tracer.h"

namespace ampere {
namespace {

constexpr double kSlice = 0.25;       // s of training under one draw of noise
constexpr double kDriftPeriod = 120;  // s
constexpr double kStartSpread = 1;    // °C between measurements, either way
constexpr double kBuildTime = 0.2;    // s to build and allocate a network
constexpr double kColdTime = 0.3;     // s the first iteration takes longer: allocating, tuning
constexpr double kReadTime = 20e-6;   // s a reading takes
constexpr double kTimingTime = 0.02;  // s to build, warm up and time a network's step
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
      state_->train(duration_s, watts);
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

void require_memory(const SimLaw& law, const SimCost& cost, const std::string& what) {
  if (cost.memory_bytes > law.memory_bytes)
    throw Error(ErrorCode::failed,
                fmt::format("out of memory: {} takes {:.1f} GiB and the {} has {:.1f} GiB", what,
                            cost.memory_bytes / kGiB, law.title, law.memory_bytes / kGiB));
}

SimCost checked_cost(const SimLaw& law, const Model& model, const Setup& setup) {
  const SimCost cost = sim_cost(law, model, setup);
  require_memory(law, cost, fmt::format("training {} at {}", model.name(), to_string(setup)));
  if (sim_time_s(law, cost) <= 0)
    throw Error(ErrorCode::failed, fmt::format("{} has no layers to train", model.name()));
  return cost;
}

// What the noise of a measurement belongs to.
std::string noise_subject(const Model& model, const Setup& setup) {
  return fmt::format("{} {}", model_hash(model), to_string(setup));
}

class SimTrainer : public Trainer {
 public:
  SimTrainer(const SimLaw& law, int seed, std::shared_ptr<SimState> state)
      : law_(law),
        keys_(law.name, seed),
        state_(std::move(state)),
        tracer_(make_sim_tracer(law, seed, state_)) {}

  // The law counts the numbers that an optimizer keeps; decaying weights costs it nothing.
  SetupRange setups() const override {
    return {{"fp32"}, every_setup().optimizers, {"weight_decay"}};
  }

  Tracer* tracer() override { return tracer_.get(); }

  std::unique_ptr<TrainJob> prepare(const Model& model, const Setup& setup) override {
    return job(checked_cost(law_, model, setup), noise_subject(model, setup));
  }

  bool repeats_operations() const override { return true; }

  std::unique_ptr<TrainJob> prepare_operation(const OperationRequest& request) override {
    const std::string& name = request.operation.name;
    const SimCost cost = sim_operation_cost(law_, request.operation, request.tensors);
    require_memory(law_, cost, name);
    if (sim_time_s(law_, cost) <= 0)
      throw Error(ErrorCode::failed, fmt::format("{}: a call takes no time", name));
    return job(cost, fmt::format("energy of operation {:016x}",
                                 operation_key(request.operation, request.tensors)));
  }

 private:
  std::unique_ptr<TrainJob> job(const SimCost& cost, const std::string& subject) {
    SimNoise noise(keys_.next(subject));
    const double phase = noise.uniform();
    state_->restart(phase, law_.thermal.start_c + kStartSpread * (2 * noise.uniform() - 1));
    state_->advance(kBuildTime, law_.idle_w);
    return std::make_unique<SimJob>(law_, state_, cost, std::move(noise));
  }

  const SimLaw& law_;
  SimNoiseKeys keys_;
  std::shared_ptr<SimState> state_;
  std::unique_ptr<Tracer> tracer_;
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
  explicit SimClock(std::shared_ptr<SimState> state) : state_(std::move(state)) {}
  Seconds now() override { return state_->now(); }
  void sleep(Seconds duration) override {
    for (double left_s = duration.count(); left_s > 0; left_s -= kSlice)
      state_->advance(std::min(left_s, kSlice), state_->resting_watts());
  }

 private:
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

// A bench rig with the trainer, meter and clock of the law. Steps are not timed by running them,
// because the law knows the times of host and device separately.
class SimRig final : public Rig {
 public:
  SimRig(const SimLaw& law, int seed)
      : law_(law), timing_keys_(law.name, seed), state_(std::make_shared<SimState>(law)) {
    auto meter = std::make_unique<SimMeter>(law, state_);
    DeviceInfo device = describe(law, meter->info());
    bench_ = make_bench_rig(std::move(device), std::make_unique<SimTrainer>(law, seed, state_),
                            std::move(meter), std::make_unique<SimClock>(state_));
  }

  const DeviceInfo& device() const override { return bench_->device(); }

  SetupRange setups() const override { return bench_->setups(); }

  // No pace: networks do not share their noise, so a ratio of two times would be no steadier than
  // either of them.
  Abilities abilities() const override {
    return {Ability::measure, Ability::phases, Ability::inference,  Ability::time,
            Ability::idle,    Ability::work,   Ability::operations, Ability::operation_energy};
  }

  bool can_answer(const Request& request) const override {
    const auto* trace = std::get_if<TraceRequest>(&request);
    return Rig::can_answer(request) && (trace == nullptr || lowered_trace_refusal(*trace).empty());
  }

 private:
  RigAnswer answer(const Request& request, const RunListener& listener) override {
    if (const auto* asked = std::get_if<TimeRequest>(&request))
      return time_by_law(asked->model, asked->setup);
    return bench_->run(request, listener);
  }

  Timing time_by_law(const Model& model, const Setup& setup) {
    const SimCost cost = checked_cost(law_, model, setup);
    SimNoise noise(timing_keys_.next(noise_subject(model, setup)) + " timing");
    const bool synchronous = law_.overlap == 0;
    Timing timing;
    timing.device_s =
        (synchronous ? sim_time_s(law_, cost) : cost.device_s) * noise.factor(kSimTimingSpread);
    if (!synchronous) timing.host_s = cost.host_s * noise.factor(law_.noise.time);
    const Seconds start = state_->now();
    state_->advance(kTimingTime, law_.static_w);
    timing.elapsed = state_->now() - start;
    return timing;
  }

  const SimLaw& law_;
  SimNoiseKeys timing_keys_;
  std::shared_ptr<SimState> state_;
  std::unique_ptr<Rig> bench_;
};

}  // namespace

std::unique_ptr<Rig> open_sim_rig(const std::string& name, int seed) {
  return std::make_unique<SimRig>(find_sim_law(name), seed);
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
