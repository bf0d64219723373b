// A model is trained in chunks: energy is drawn before each, progress is recorded after each.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "ampere/rig.h"
#include "base/steady_now.h"
#include "base/text.h"
#include "fleet/chunks.h"
#include "fleet/execution.h"
#include "fleet/job_rows.h"
#include "fleet/steady_work.h"

namespace ampere {
namespace {

constexpr double kMoreThanExpected = 1.3;  // what a chunk may take
constexpr Seconds kBuilding{3};            // building the network and its first iteration may take
constexpr Seconds kAfterwards{2};  // what a chunk needs beside its iterations, meter included
constexpr Seconds kModelReportInterval{2};
// A draw that did not suffice for a single iteration is followed by a larger one.
constexpr double kLargerDraw = 2;

bool time_must_pass(const JobWork& work) {
  return work.rig.starts_with("sim:") || work.rig.starts_with("recorded:");
}

class ModelExecution {
 public:
  explicit ModelExecution(Execution& execution)
      : execution_(execution), job_(execution.attempt.job), work_(execution.work) {
    const double iterations = static_cast<double>(std::max<std::int64_t>(1, job_.iterations));
    iteration_ = Seconds(job_.time_s.mean / iterations);
    iteration_energy_ = {job_.energy_j.high / iterations};
    highest_power_ = job_.power_most;
  }

  Executed run() {
    if (const auto failed = open()) return *failed;
    while (execution_.done.iterations_done < work_.iterations) {
      if (execution_.options.stop.stop_requested())
        return execution_.suspend("Slurm asked it to end");
      if (const auto ended = train_chunk()) return *ended;
      if (cancelled_) throw JobCancelled(*cancelled_);
    }
    return execution_.finish(JobState::finished, "");
  }

 private:
  // Opening a rig uses no energy of the job. Returns how the job ended when there is none.
  std::optional<Executed> open() try {
    RigOptions options;
    options.seed = work_.seed;
    options.meter = work_.meter;
    options.runner = execution_.options.runner;
    rig_ = open_rig(work_.rig, options);
    if (!rig_->can_work()) rig_->work({*work_.model, work_.setup, 1});  // says why not
    return std::nullopt;
  } catch (const Error& error) {
    return execution_.finish(JobState::failed, error.what());
  }

  std::optional<Executed> train_chunk() {
    const std::int64_t chunk = next_chunk();
    const Joules before = execution_.done.spent;
    const Joules drawn = execution_.table.draw(execution_.attempt, before + expected(chunk));
    if (drawn - before < least()) return out_of_energy();
    begun_ = execution_.done;
    steady_ = {};
    WorkRequest request{*work_.model, work_.setup, chunk, drawn - before};
    WorkDone done;
    try {
      done = rig_->work(request, [this](const WorkDone& so_far) { hear(so_far); });
    } catch (const Error& error) {
      if (fence_error_) throw Error(*fence_error_);
      // Any other code means that the request was refused, before anything was used.
      if (error.code() != ErrorCode::failed)
        return execution_.finish(JobState::failed, error.what());
      return execution_.fail_unmeasured(error.what(), drawn);
    }
    if (time_must_pass(work_)) wait_for(work_.time_scale * done.time);
    built_ = true;
    record(done);
    learn(done);
    if (done.iterations > 0 || drawn < job_.reserved) return std::nullopt;
    return out_of_energy();
  }

  std::int64_t next_chunk() const {
    const std::int64_t left = work_.iterations - execution_.done.iterations_done;
    return std::min(left, chunk_iterations(Seconds(job_.time_s.mean), iteration_));
  }

  Joules expected(std::int64_t chunk) const {
    const Joules iterations{kMoreThanExpected * larger_ * static_cast<double>(chunk) *
                            iteration_energy_.value};
    const Seconds around = kAfterwards + (built_ ? Seconds{0} : kBuilding);
    return iterations + highest_power_ * (larger_ * around);
  }

  // What nobody can foresee must be covered: building the network, and its first iteration.
  Joules least() const {
    if (built_) return {1e-3};
    return Joules{kMoreThanExpected * iteration_energy_.value} + highest_power_ * kBuilding;
  }

  void record(const WorkDone& done) {
    execution_.done.iterations_done = begun_.iterations_done + done.iterations;
    execution_.done.spent = begun_.spent + done.energy;
    execution_.done.source = done.source;
    const SteadyWork steady = steady_.work();
    execution_.done.steady.iterations += steady.iterations;
    execution_.done.steady.energy = execution_.done.steady.energy + steady.energy;
    if (done.time.count() > 0) execution_.done.power = Watts{done.energy.value / done.time.count()};
    execution_.table.progress(execution_.attempt, execution_.done);
    execution_.tell(fmt::format("{} of {}, {:.6g} J of {:.6g} J", execution_.done.iterations_done,
                                counted(work_.iterations, "iteration"), execution_.done.spent.value,
                                job_.reserved.value));
  }

  void learn(const WorkDone& done) {
    if (done.iterations == 0) {
      larger_ *= kLargerDraw;
      return;
    }
    larger_ = 1;
    const auto iterations = static_cast<double>(done.iterations);
    iteration_ = done.time / iterations;
    iteration_energy_ = {done.energy.value / iterations};
    highest_power_ = std::max(highest_power_, *execution_.done.power);
  }

  // While a chunk is trained: a sign of life, and what it has done so far. Its end is waited for
  // when the job is cancelled, because then its energy is known; not when another attempt took
  // over.
  void hear(const WorkDone& so_far) {
    steady_.hear(so_far);
    if (steady_now() - reported_ < kModelReportInterval || cancelled_) return;
    reported_ = steady_now();
    AttemptProgress progress = begun_;
    progress.iterations_done += so_far.iterations;
    progress.spent = begun_.spent + so_far.energy;
    progress.source = so_far.source;
    if (so_far.time.count() > 0) progress.power = Watts{so_far.energy.value / so_far.time.count()};
    try {
      execution_.table.progress(execution_.attempt, progress);
    } catch (const JobCancelled& error) {
      cancelled_ = error.what();
    } catch (const Error& error) {
      fence_error_ = error;
      throw;
    }
  }

  Executed out_of_energy() {
    return execution_.finish(
        JobState::stopped,
        fmt::format("after {} of {}, because what is left of its reservation ({:.6g} J of {:.6g} "
                    "J) does not cover more",
                    execution_.done.iterations_done, counted(work_.iterations, "iteration"),
                    (job_.reserved - execution_.done.spent).value, job_.reserved.value));
  }

  Execution& execution_;
  const FleetJob& job_;
  const JobWork& work_;
  std::unique_ptr<Rig> rig_;
  Seconds iteration_{};      // as the last chunk took them, at first as estimated
  Joules iteration_energy_;  // likewise
  Watts highest_power_;
  double larger_ = 1;  // than expected, after draws that did not suffice
  bool built_ = false;
  AttemptProgress begun_;  // before the current chunk
  SteadyReports steady_;   // of the current chunk
  Seconds reported_{};
  std::optional<std::string> cancelled_;
  std::optional<Error> fence_error_;
};

}  // namespace

Executed execute_model(Execution& execution) { return ModelExecution(execution).run(); }

}  // namespace ampere
