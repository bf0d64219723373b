#include "rig/learning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ampere/error.h"
#include "rig/energy_watch.h"
#include "rig/measuring.h"

namespace ampere {
namespace {

constexpr Seconds kChunk{0.05};  // between two readings of the meter
// Work may take longer or draw more power than before. What training leaves must still be enough
// for the test when more was used than the meter had shown.
constexpr double kTrainingReserve = 1.25, kTestReserve = 1.05;
constexpr Seconds kReportInterval{1};  // so that the host does not give up waiting

class Learning {
 public:
  Learning(LearnJob& job, Meter& meter, Clock& clock, const TrainingTask& task,
           const TrainingListener& listener)
      : job_(job),
        clock_(clock),
        task_(task),
        listener_(listener),
        watch_(meter, clock, energy_limit(task)),
        state_(task.from),
        boundary_(clock.now()),
        reported_(clock.now()) {
    for (const TrainingEpoch& epoch : state_.epochs) {
      if (epoch.iterations > 0) iteration_ = epoch.time / static_cast<double>(epoch.iterations);
      if (epoch.test) test_ = epoch.test_time;
    }
  }

  TrainingResult run() {
    const std::size_t before = state_.epochs.size();
    while (epochs_done() < task_.epochs && stopped_.empty()) train_epoch();
    TrainingResult result;
    if (state_.epochs.size() > before) {
      result.test = state_.epochs.back().test;
    } else {
      result.test = stopped_.empty() || state_.epochs.empty() ? test() : state_.epochs.back().test;
      if (worked_) watch_.settle();
      state_.weights = job_.weights();
    }
    result.state = std::move(state_);
    result.stopped = std::move(stopped_);
    result.energy = watch_.used();
    return result;
  }

 private:
  int epochs_done() const { return static_cast<int>(state_.epochs.size()); }

  void train_epoch() {
    job_.begin_epoch(epochs_done());
    watch_.look();  // storing the previous epoch may have taken a while
    TrainingEpoch epoch;
    losses_ = 0;
    while (epoch.iterations < job_.batches()) {
      const int chunk = affordable(
          std::min<std::int64_t>(chunk_of(iteration_), job_.batches() - epoch.iterations));
      if (chunk == 0) {
        stop("the rest is needed for the test and for what the meter has not shown yet");
        break;
      }
      train_chunk(epoch, chunk);
    }
    if (epoch.iterations == 0) return;
    epoch.loss = losses_ / static_cast<double>(epoch.iterations);
    end_part(epoch.time, epoch.energy);
    epoch.test = test();
    if (!stopped_.empty() || epochs_done() + 1 == task_.epochs) watch_.settle();
    end_part(epoch.test_time, epoch.test_energy);
    keep(epoch);
  }

  static int chunk_of(Seconds each) { return each.count() > 0 ? iterations_in(kChunk, each) : 1; }

  // As many iterations, at most `chunk`, as there is energy for in addition to the test.
  int affordable(std::int64_t chunk) const {
    const auto too_much = [this](std::int64_t iterations) {
      return !watch_.affords(static_cast<double>(iterations) * iteration_ + time_of_test(),
                             kTrainingReserve);
    };
    while (chunk > 0 && too_much(chunk)) chunk /= 2;
    return static_cast<int>(chunk);
  }

  // A test takes no longer than training on as many batches.
  Seconds time_of_test() const {
    return test_.count() > 0 ? test_ : static_cast<double>(job_.test_batches()) * iteration_;
  }

  void train_chunk(TrainingEpoch& epoch, int chunk) {
    worked_ = true;
    const Seconds start = clock_.now();
    losses_ += job_.train(chunk);
    iteration_ = (clock_.now() - start) / chunk;
    epoch.iterations += chunk;
    if (!std::isfinite(losses_))
      throw Error(ErrorCode::failed,
                  fmt::format("{}: the loss is no longer a number in iteration {} of epoch {}; "
                              "train with a lower learning rate than {}",
                              task_.model.name(), epoch.iterations, epochs_done() + 1,
                              task_.learning_rate));
    progress_.share = static_cast<double>(epoch.iterations) / static_cast<double>(job_.batches());
    progress_.loss = losses_ / static_cast<double>(epoch.iterations);
    watch_.look();
    report();
  }

  std::optional<TestScore> test() {
    job_.begin_test();
    TestTally sum;
    Seconds batch = time_of_test() / static_cast<double>(job_.test_batches());
    const Seconds start = clock_.now();
    for (std::int64_t done = 0; done < job_.test_batches();) {
      const auto chunk =
          static_cast<int>(std::min<std::int64_t>(chunk_of(batch), job_.test_batches() - done));
      if (!watch_.affords(chunk * batch, kTestReserve)) {
        stop("there was not enough energy left to test the network");
        return std::nullopt;
      }
      worked_ = true;
      const Seconds before = clock_.now();
      add(sum, job_.test(chunk));
      batch = (clock_.now() - before) / chunk;
      done += chunk;
      watch_.look();
      report();
    }
    test_ = clock_.now() - start;
    return score_of(sum);
  }

  static void add(TestTally& sum, const TestTally& part) {
    sum.labels += part.labels;
    sum.right += part.right;
    sum.loss += part.loss;
  }

  TestScore score_of(const TestTally& sum) const {
    const auto labels = static_cast<double>(sum.labels);
    if (!std::isfinite(sum.loss))
      throw Error(ErrorCode::failed, fmt::format("{}: the loss on the test samples is not a number",
                                                 task_.model.name()));
    return {sum.loss / labels, static_cast<double>(sum.right) / labels};
  }

  void stop(const std::string& why) {
    if (!stopped_.empty()) stopped_ += "; ";
    stopped_ += fmt::format("stopped in epoch {} of {} at {:.4g} J of {:.4g} J: {}",
                            std::min(epochs_done() + 1, task_.epochs), task_.epochs,
                            watch_.in_all().value, watch_.limit()->value, why);
  }

  // A part lasts from the end of the previous one, so that nothing between two parts is lost.
  void end_part(Seconds& time, Joules& energy) {
    const Seconds now = clock_.now();
    time = now - boundary_;
    energy = watch_.used() - counted_;
    boundary_ = now;
    counted_ = watch_.used();
  }

  void keep(const TrainingEpoch& epoch) {
    state_.epochs.push_back(epoch);
    state_.weights = job_.weights();
    state_.optimizer = job_.optimizer();
    if (listener_.epoch) listener_.epoch(state_);
  }

  void report() {
    if (!listener_.progress || clock_.now() - reported_ < kReportInterval) return;
    reported_ = clock_.now();
    progress_.epochs = task_.epochs;
    progress_.epoch = std::min(epochs_done() + 1, task_.epochs);
    progress_.test = state_.epochs.empty() ? std::nullopt : state_.epochs.back().test;
    progress_.energy = watch_.in_all();
    listener_.progress(progress_);
  }

  LearnJob& job_;
  Clock& clock_;
  const TrainingTask& task_;
  const TrainingListener& listener_;
  EnergyWatch watch_;
  TrainingState state_;
  Seconds iteration_{}, test_{};  // how long they took last; 0 before the first
  double losses_ = 0;             // of this epoch
  Seconds boundary_;              // between two parts: its time, and the energy used until then
  Joules counted_;
  Seconds reported_;
  TrainingProgress progress_;
  bool worked_ = false;
  std::string stopped_;
};

}  // namespace

TrainingResult learn(LearnJob& job, Meter& meter, Clock& clock, const TrainingTask& task,
                     const TrainingListener& listener) {
  TrainingResult result = Learning(job, meter, clock, task, listener).run();
  result.source = meter.info().source;
  return result;
}

}  // namespace ampere
