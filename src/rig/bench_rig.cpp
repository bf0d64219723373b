#include "rig/bench_rig.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "ampere/error.h"
#include "rig/calm.h"
#include "rig/learning.h"
#include "rig/measuring.h"
#include "rig/pace.h"
#include "rig/resting_job.h"
#include "rig/timing.h"
#include "rig/windows.h"
#include "rig/working.h"

namespace ampere {
namespace {

constexpr double kWarmUpShare = 0.25;  // of the time limit, at most
constexpr int kLeastWindows = 2;       // one window has no spread, so no precision

constexpr Seconds kLoad{0.5};  // until the clocks of the device are high
constexpr Seconds kIdleWindow{1};

double relative(const Quantity& statistic) {
  return statistic.mean > 0 ? assumed_error(statistic) / statistic.mean : 0;
}

double relative_error(Measurement& measurement) {
  summarize(measurement);
  return std::max(relative(measurement.energy_j), relative(measurement.time_s));
}

// Takes windows until they agree or the time is over.
class Repetition {
 public:
  Repetition(const Bench& bench, const Precision& precision, Seconds start)
      : bench_(bench), precision_(precision), start_(start) {}

  Measurement run(const RunListener& listener) {
    const WarmUp warm = warm_up(bench_, kWarmUpShare * precision_.time_limit);
    if (!warm.settled)
      note("the time of an iteration had not settled when the warm-up ended ({:.3g} s)",
           warm.iteration.count());
    Seconds iteration{};
    WindowSeries series(bench_, warm, precision_);
    do {
      window_start_ = bench_.clock.now();
      const Window window = series.next();
      iteration = window.time / static_cast<double>(window.iterations);
      measurement_.windows.push_back(window);
      if (listener.window) listener.window(window);
    } while (!enough_iterations() || (!precise() && time_for_another(iteration)));
    return finish();
  }

 private:
  template <class... Values>
  void note(fmt::format_string<Values...> text, Values&&... values) {
    measurement_.notes.push_back(fmt::format(text, std::forward<Values>(values)...));
  }

  // Rejected windows are in this sum, so that measuring ends on a device that is always disturbed.
  bool enough_iterations() const {
    std::int64_t iterations = 0;
    for (const Window& window : measurement_.windows) iterations += window.iterations;
    return iterations >= precision_.min_iterations;
  }

  bool precise() {
    return counted_windows(measurement_) >= std::max(kLeastWindows, precision_.min_windows) &&
           relative_error(measurement_) <= precision_.relative_error;
  }

  // A second window is taken even beyond the limit, because one says nothing about the spread; but
  // not when a single iteration takes longer than the limit.
  bool time_for_another(Seconds iteration) const {
    const Seconds now = bench_.clock.now();
    const Seconds expected_end = now + (now - window_start_);
    if (expected_end - start_ <= precision_.time_limit) return true;
    return measurement_.windows.size() < kLeastWindows && iteration <= precision_.time_limit;
  }

  Measurement finish() {
    measurement_.source = bench_.meter.info().source;
    note_rejections();
    note_precision();
    measurement_.elapsed = bench_.clock.now() - start_;
    return std::move(measurement_);
  }

  void note_rejections() {
    auto& windows = measurement_.windows;
    const auto rejected = static_cast<std::int64_t>(windows.size()) - counted_windows(measurement_);
    if (rejected == static_cast<std::int64_t>(windows.size())) {
      note("every window was disturbed, so all {} count: {}", windows.size(),
           windows.back().rejected);
      for (Window& window : windows) window.disturbed = std::exchange(window.rejected, "");
    } else if (rejected > 0) {
      note("{} of {} windows do not count; see each for why", rejected, windows.size());
    }
    const auto throttled = std::ranges::find_if(windows, [](const Window& window) {
      return window.rejected.empty() && window.state.throttle;
    });
    if (throttled != windows.end())
      note("clocks were throttled ({}) in windows that count", *throttled->state.throttle);
  }

  void note_precision() {
    const double reached = relative_error(measurement_);
    const std::int64_t counted = counted_windows(measurement_);
    const double limit = precision_.time_limit.count();
    if (counted < kLeastWindows)
      note("one window in {:.3g} s: its precision is unknown", limit);
    else if (reached > precision_.relative_error)
      note("precision not reached in {:.3g} s: {:.1f} % instead of {:.1f} %", limit, 100 * reached,
           100 * precision_.relative_error);
    else if (counted < precision_.min_windows)
      note("{} windows instead of {} in {:.3g} s", counted, precision_.min_windows, limit);
  }

  Bench bench_;
  const Precision& precision_;
  Seconds start_, window_start_{};
  Measurement measurement_;
};

class BenchRig final : public Rig {
 public:
  BenchRig(DeviceInfo device, std::unique_ptr<Trainer> trainer, std::unique_ptr<Meter> meter,
           std::unique_ptr<Clock> clock, std::unique_ptr<Learner> learner,
           std::unique_ptr<Tracer> tracer)
      : device_(std::move(device)),
        trainer_(std::move(trainer)),
        meter_(std::move(meter)),
        clock_(std::move(clock)),
        learner_(std::move(learner)),
        own_tracer_(std::move(tracer)) {}

  const DeviceInfo& device() const override { return device_; }

  Abilities abilities() const override {
    Abilities abilities{Ability::measure, Ability::phases, Ability::inference, Ability::time,
                        Ability::pace,    Ability::idle,   Ability::work};
    if (learner_) abilities.insert(Ability::train);
    if (trainer_ && trainer_->runs_scripts()) abilities.insert(Ability::scripts);
    if (tracer() != nullptr) abilities.insert(Ability::operations);
    if (trainer_ && trainer_->repeats_operations()) abilities.insert(Ability::operation_energy);
    return abilities;
  }

  SetupRange setups() const override { return trainer_ ? trainer_->setups() : SetupRange{}; }

 private:
  RigAnswer answer(const Request& request, const RunListener& listener) override {
    if (!std::holds_alternative<WorkRequest>(request)) kept_.reset();
    return std::visit([&](const auto& each) -> RigAnswer { return carry_out(each, listener); },
                      request);
  }

  Measurement carry_out(const MeasureRequest& request, const RunListener& listener) {
    const Precision& precision = request.precision;
    if (precision.calm_within.count() > 0) wait_for_calm(precision.calm_within);
    std::optional<Reading> before;
    if (request.setup.options.compiled) before = meter_->read();
    Measurement measured =
        with_job(request.model, request.setup, [&](TrainJob& job, Seconds start) {
          return repeat(job, precision, before ? clock_->now() : start, preparation_since(before),
                        listener);
        });
    if (precision.calm_within.count() > 0 && !calm_)
      measured.notes.push_back("other processes used the processor all the while that was waited");
    return measured;
  }

  // A script may compile without saying so.
  ScriptMeasurement carry_out(const ScriptRequest& request, const RunListener& listener) {
    const Precision& precision = request.precision;
    if (precision.calm_within.count() > 0) wait_for_calm(precision.calm_within);
    const std::optional<Reading> before = meter_->read();
    const Trainer::ScriptJob script = trainer_->prepare_script(request);
    return {repeat(*script.job, precision, clock_->now(), preparation_since(before), listener),
            script.info};
  }

  OperationMeasurement carry_out(const OperationRequest& request, const RunListener& listener) {
    const std::unique_ptr<TrainJob> calls = trainer_->prepare_operation(request);
    RestingJob job(*calls, *clock_);
    return {repeat(job, request.precision, clock_->now(), std::nullopt, listener)};
  }

  // Compiling may take longer than the time limit, which then begins after it.
  Measurement repeat(TrainJob& job, const Precision& precision, Seconds start,
                     const std::optional<Window>& preparation, const RunListener& listener) {
    const Attention attention(*meter_);
    Measurement measured = Repetition({job, *meter_, *clock_}, precision, start).run(listener);
    measured.preparation = preparation;
    if (preparation) measured.elapsed += preparation->time;
    return measured;
  }

  std::optional<Window> preparation_since(const std::optional<Reading>& before) {
    if (!before) return std::nullopt;
    const Reading now = meter_->read();
    if (now.time - before->time <= meter_->info().update_period) return std::nullopt;
    Window window;
    window.time = now.time - before->time;
    window.energy = used(meter_->info(), *before, now).total;
    return window;
  }

  // On a machine that did not become calm, the next measurement waits less.
  void wait_for_calm(Seconds at_most) {
    constexpr Seconds kOnceMore{5};
    calm_ = ampere::wait_for_calm(*clock_, calm_ ? at_most : std::min(at_most, kOnceMore));
  }

  Timing carry_out(const TimeRequest& request, const RunListener&) {
    return with_job(request.model, request.setup, [&](TrainJob& job, Seconds start) {
      Timing timing = time_step(job, *clock_);
      timing.elapsed = clock_->now() - start;
      return timing;
    });
  }

  Pace carry_out(const PaceRequest& request, const RunListener&) {
    return with_job(request.model, request.setup, [&](TrainJob& job, Seconds start) {
      return with_job(request.reference, request.setup, [&](TrainJob& other, Seconds) {
        Pace pace = measure_pace(job, other, *clock_);
        pace.elapsed = clock_->now() - start;
        return pace;
      });
    });
  }

  Window carry_out(const IdleRequest& request, const RunListener&) {
    return with_job(request.model, request.setup, [&](TrainJob& job, Seconds) {
      const Attention attention(*meter_);
      for (const Seconds start = clock_->now(); clock_->now() - start < kLoad;)
        job.run(iterations_in(kLoad / 8, timed_iteration(job, *clock_, 1)));
      return take_idle_window(*meter_, *clock_, kIdleWindow);
    });
  }

  DataInfo carry_out(const DataRequest& request, const RunListener&) {
    return learner_->describe(request.data);
  }

  TrainingResult carry_out(const TrainRequest& request, const RunListener& listener) {
    return named(request.task.model, [&] {
      const std::unique_ptr<LearnJob> job = learner_->begin(request.task);
      const Attention attention(*meter_);
      return learn(*job, *meter_, *clock_, request.task, listener.training);
    });
  }

  // A job that is done in many requests builds its network once.
  WorkDone carry_out(const WorkRequest& request, const RunListener& listener) {
    return named(request.model, [&] {
      std::optional<KeptNetwork> network = std::exchange(kept_, std::nullopt);
      if (network && !network->is_of(request)) network.reset();
      const Attention attention(*meter_);
      const WorkDone done =
          ampere::work(network, *trainer_, *meter_, *clock_, request, listener.work);
      kept_ = std::move(network);
      return done;
    });
  }

  Trace carry_out(const TraceRequest& request, const RunListener&) {
    return tracer()->trace(request);
  }

  OperationTimes carry_out(const OperationTimesRequest& request, const RunListener&) {
    return tracer()->time(request);
  }

  Tracer* tracer() const {
    if (own_tracer_) return own_tracer_.get();
    return trainer_ ? trainer_->tracer() : nullptr;
  }

  // Builds the network and returns what `work` returns for it.
  template <class Work>
  std::invoke_result_t<Work, TrainJob&, Seconds> with_job(const Model& model, const Setup& setup,
                                                          const Work& work) {
    return named(model, [&] {
      const Seconds start = clock_->now();
      const std::unique_ptr<TrainJob> job = trainer_->prepare(model, setup);
      return work(*job, start);
    });
  }

  // Foreign errors become Error(failed) with the name of the network.
  template <class Work>
  static std::invoke_result_t<Work> named(const Model& model, const Work& work) try {
    return work();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(ErrorCode::failed, fmt::format("{}: {}", model.name(), error.what()));
  }

  DeviceInfo device_;
  std::unique_ptr<Trainer> trainer_;
  std::unique_ptr<Meter> meter_;
  std::unique_ptr<Clock> clock_;
  std::unique_ptr<Learner> learner_;
  std::unique_ptr<Tracer> own_tracer_;
  std::optional<KeptNetwork> kept_;  // of the request before, when that was work
  bool calm_ = true;                 // when it was last waited for
};

}  // namespace

std::unique_ptr<Rig> make_bench_rig(DeviceInfo device, std::unique_ptr<Trainer> trainer,
                                    std::unique_ptr<Meter> meter, std::unique_ptr<Clock> clock,
                                    std::unique_ptr<Learner> learner,
                                    std::unique_ptr<Tracer> tracer) {
  device.fingerprint = fingerprint_of(device);
  return std::make_unique<BenchRig>(std::move(device), std::move(trainer), std::move(meter),
                                    std::move(clock), std::move(learner), std::move(tracer));
}

}  // namespace ampere
