// A command runs under the meter of its node. It is held while the ledger cannot be reached and
// what was drawn is used up, and stopped before it would use more than was reserved.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <optional>

#include "base/steady_now.h"
#include "fleet/execution.h"
#include "fleet/reporter.h"
#include "fleet/signal_name.h"
#include "measure/command.h"
#include "meter/best_meter.h"
#include "rig/energy_watch.h"
#include "rig/real_clock.h"

namespace ampere {
namespace {

constexpr Seconds kLook{0.2};  // between two looks at the meter
constexpr Seconds kReportInterval{2};
constexpr Seconds kAhead{10};           // for which energy is drawn
constexpr Seconds kTermination{2};      // between SIGTERM and SIGKILL, when energy runs out
constexpr Seconds kSlurmsPatience{20};  // the same when Slurm ends it; Slurm kills after 30 s
constexpr double kReserve = 1.25;       // a command may suddenly use more than before

// A simulated device has no meter that a command could be under.
std::unique_ptr<Meter> open_node_meter(const JobWork& work) {
  if (!work.meter.empty()) return open_meter(work.meter);
  if (work.rig.starts_with("sim:")) return open_meter(kMachineModel);
  const std::string best = best_machine_meter(probe_meters());
  if (best.empty())
    throw Error(ErrorCode::no_meter,
                "nothing measures energy on this node: name a meter for this kind of device");
  return open_meter(best);
}

std::string end_text(const CommandEnd& end) {
  if (end.signal == 0) return fmt::format("it ended with status {}", end.status);
  const char* name = sigabbrev_np(end.signal);
  return fmt::format("it was killed by {}", name != nullptr ? fmt::format("SIG{}", name)
                                                            : fmt::format("signal {}", end.signal));
}

// The meter failed, so that nobody knows what the command uses.
struct MeterFailed {
  std::string why;
};

template <class Action>
void metered(const Action& action) try {
  action();
} catch (const Error& error) {
  throw MeterFailed{error.what()};
}

class CommandExecution {
 public:
  CommandExecution(Execution& execution, std::unique_ptr<Meter> meter)
      : execution_(execution),
        reserved_(execution.attempt.job.reserved),
        checkpoint_(signal_number(execution.work.checkpoint_signal)),
        meter_(std::move(meter)),
        clock_(make_real_clock()),
        attention_(*meter_) {
    execution_.done.source = meter_->info().source;
  }

  Executed run() {
    const Watts power = execution_.attempt.job.power_most;
    const Joules first = execution_.done.spent + power * (kReserve * kAhead);
    drawn_ = execution_.table.draw(execution_.attempt, first);
    watch(power);
    command_.emplace(execution_.work.command, execution_.work.folder);
    try {
      Reporter reporter(execution_.table, execution_.attempt, drawn_);
      supervise(reporter);
      if (watch_) settle();
    } catch (const MeterFailed& failure) {
      command_.reset();
      return execution_.fail_unmeasured(failure.why, drawn_);
    }
    if (cancelled_) throw JobCancelled(*cancelled_);
    return end();
  }

 private:
  enum class Phase { runs, saves_itself, terminates, killed };

  // Energy is counted while the command runs, not while it is held.
  void watch(Watts power) {
    metered([&] {
      watch_.emplace(*meter_, *clock_, EnergyLimit{reserved_, execution_.done.spent, power});
    });
  }

  void settle() {
    metered([this] { watch_->settle(); });
    execution_.done.spent = std::max(execution_.done.spent, watch_->in_all());
    power_ = watch_->highest_power();
    watch_.reset();
  }

  void supervise(Reporter& reporter) {
    while (!command_->end()) {
      wait_for(kLook);
      if (watch_) {
        metered([this] { watch_->look(); });
        execution_.done.spent = std::max(execution_.done.spent, watch_->in_all());
      }
      drawn_ = reporter.drawn();
      try {
        reporter.check();
      } catch (const JobCancelled& error) {
        if (!cancelled_) terminate(error.what(), kSlurmsPatience);
        cancelled_ = error.what();
      }
      if (execution_.options.stop.stop_requested() && !asked_to_end_) {
        asked_to_end_ = true;
        terminate("Slurm asked it to end", kSlurmsPatience);
      }
      report(reporter);
      watch_ ? save_energy(reporter) : resume(reporter);
    }
  }

  void report(Reporter& reporter) {
    const bool running_out = watch_ && needed(kAhead / 2) > reporter.drawn();
    const Seconds since = steady_now() - reported_;
    if (since < (running_out ? kLook : kReportInterval)) return;
    if (since < Seconds{86400}) execution_.done.power = mean_power(since);
    reported_ = steady_now();
    reported_energy_ = execution_.done.spent;
    reporter.report(execution_.done, watch_ ? needed(kAhead) : held_need_);
  }

  Watts mean_power(Seconds since) const {
    return {(execution_.done.spent - reported_energy_).value / since.count()};
  }

  Joules needed(Seconds time) const { return watch_->in_all_after(time, kReserve); }

  // The order matters: first it may save itself, then it must end, and in the end it is killed.
  void save_energy(Reporter& reporter) {
    const Seconds grace = execution_.work.checkpoint_grace;
    if (phase_ == Phase::runs && needed(kLook + kTermination + grace) > reserved_) {
      phase_ = Phase::saves_itself;
      out_of_energy_ = true;
      since_ = steady_now();
      execution_.tell("its energy will soon be used up: it gets the signal to save itself");
      command_->signal(checkpoint_);
    }
    if (phase_ == Phase::saves_itself &&
        (needed(kLook + kTermination) > reserved_ || steady_now() - since_ > grace))
      terminate("its energy is used up", kTermination);
    if (phase_ == Phase::terminates &&
        (needed(kLook) > reserved_ || steady_now() - since_ > patience_)) {
      phase_ = Phase::killed;
      command_->signal(SIGKILL);
    }
    if (needed(kLook) > reporter.drawn() && reporter.drawn() < reserved_ &&
        (phase_ == Phase::runs || phase_ == Phase::saves_itself))
      hold();
  }

  void terminate(const std::string& why, Seconds patience) {
    if (phase_ == Phase::terminates || phase_ == Phase::killed) return;
    execution_.tell(why);
    phase_ = Phase::terminates;
    since_ = steady_now();
    patience_ = patience;
    command_->signal(SIGTERM);
    if (!watch_) continue_it();
  }

  void hold() {
    command_->signal(SIGSTOP);
    held_need_ = needed(kAhead);
    settle();
    execution_.tell("it is held until the ledger can be reached");
  }

  void resume(Reporter& reporter) {
    if (reporter.drawn() >= held_need_ || reporter.drawn() >= reserved_) continue_it();
  }

  void continue_it() {
    watch(power_);
    command_->signal(SIGCONT);
    execution_.tell("it goes on");
  }

  Executed end() {
    const CommandEnd how = *command_->end();
    if (asked_to_end_ || (how.signal != 0 && execution_.is_asked_to_end()))
      return execution_.suspend("Slurm asked it to end");
    if (out_of_energy_)
      return execution_.finish(
          JobState::stopped,
          fmt::format("after {:.6g} J, before it would have used more than the {:.6g} J that were "
                      "reserved ({})",
                      execution_.done.spent.value, reserved_.value, end_text(how)));
    if (how.status != 0) return execution_.finish(JobState::failed, end_text(how));
    execution_.done.iterations_done = execution_.attempt.job.iterations;
    return execution_.finish(JobState::finished, "");
  }

  Execution& execution_;
  const Joules reserved_;
  const int checkpoint_;
  std::unique_ptr<Meter> meter_;
  std::unique_ptr<Clock> clock_;
  Attention attention_;
  std::optional<EnergyWatch> watch_;  // absent while the command is held
  std::optional<GroupCommand> command_;
  Phase phase_ = Phase::runs;
  Seconds since_{}, patience_{};  // of the phase
  Seconds reported_{-1e9};
  Joules drawn_, reported_energy_, held_need_;
  Watts power_;
  bool out_of_energy_ = false, asked_to_end_ = false;
  std::optional<std::string> cancelled_;
};

}  // namespace

Executed execute_command(Execution& execution) {
  std::unique_ptr<Meter> meter;
  try {
    meter = open_node_meter(execution.work);
  } catch (const Error& error) {
    return execution.finish(JobState::failed, error.what());
  }
  try {
    return CommandExecution(execution, std::move(meter)).run();
  } catch (const CannotRun& error) {
    return execution.finish(JobState::failed, error.what());
  }
}

}  // namespace ampere
