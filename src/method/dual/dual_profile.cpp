#include "method/dual/dual_profile.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/block.h"
#include "ampere/error.h"
#include "base/interrupt.h"
#include "base/stopwatch.h"
#include "base/text.h"
#include "method/dual/dual_store.h"

namespace ampere {
namespace {

constexpr int kTimingsAtOnce = 16;  // put on disk together: less than half a second of work
constexpr int kReferenceEvery = 8;  // networks between two measurements of the reference

BlockTiming time_block(Rig& rig, const BlockToTime& block, const Setup& setup) {
  BlockTiming timing{block.kind, block.features, {}, "", utc_now()};
  try {
    timing.timing = rig.time(block.model, with_phase(setup, block.phase));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::failed) throw;
    timing.failure = error.what();
  }
  return timing;
}

// Adds timings to the store a few at a time; whatever ends it, all are added.
class TimingSink {
 public:
  TimingSink(Store& store, std::int64_t profile) : store_(store), profile_(profile) {}
  void take(BlockTiming timing) {
    held_.push_back(std::move(timing));
    if (held_.size() >= kTimingsAtOnce) flush();
  }
  void flush() {
    if (!held_.empty()) store_.add(profile_, held_);
    held_.clear();
  }

 private:
  Store& store_;
  std::int64_t profile_;
  std::vector<BlockTiming> held_;
};

class DualProfiler {
 public:
  DualProfiler(Rig& rig, const std::string& rig_name, Store& store, const Setup& setup,
               const DualProfileOptions& options,
               const std::function<void(const DualProgress&)>& progress)
      : rig_(rig), store_(store), setup_(setup), options_(options), progress_(progress) {
    summary_.profile = store.open_profile(rig.device(), setup, rig_name);
  }

  DualSummary run(const DualPlan& plan) {
    measure_networks(plan.networks, plan.round_networks);
    time_blocks(plan.blocks, options_.only_answerable);
    time_blocks(plan.round_blocks, true);
    if (!plan.networks.empty()) note_drift(plan.networks.front());
    fit();
    summary_.elapsed = stopwatch_.elapsed();
    return std::move(summary_);
  }

 private:
  bool out_of_time() {
    summary_.stopped_by_time_limit |=
        options_.time_limit && stopwatch_.elapsed() >= *options_.time_limit;
    return summary_.stopped_by_time_limit;
  }

  void report(const char* what, int done, std::size_t of, const Stopwatch& since) const {
    const auto total = static_cast<int>(of);
    progress_({what, done, total, since.elapsed() / std::max(1, done) * (total - done)});
  }

  void time_blocks(const std::vector<BlockToTime>& blocks, bool only_answerable) {
    const TimedBlocks known = timed_blocks(store_, summary_.profile);
    TimingSink sink(store_, summary_.profile);
    const Stopwatch since;
    int done = 0;
    try {
      for (const BlockToTime& block : blocks) {
        ++done;
        if (known.contains({block.kind, block.features})) continue;
        stop_if_interrupted();
        if (out_of_time()) break;
        if (auto timing = time_answerable(block, only_answerable)) {
          count(timing->timing.has_value(), summary_.timed, timing->failure);
          sink.take(std::move(*timing));
        }
        report("blocks timed", done, blocks.size(), since);
      }
    } catch (...) {
      sink.flush();
      throw;
    }
    sink.flush();
  }

  // Nothing when a recording has no answer and need not have one.
  std::optional<BlockTiming> time_answerable(const BlockToTime& block, bool only_answerable) try {
    return time_block(rig_, block, setup_);
  } catch (const Error& error) {
    if (!only_answerable || error.code() != ErrorCode::unknown) throw;
    return std::nullopt;
  }

  void count(bool success, int& counter, const std::string& failure) {
    if (success) {
      ++counter;
      return;
    }
    ++summary_.failed;
    summary_.warnings.push_back(failure);
  }

  // The reference comes first, after every few others, and last.
  void measure_networks(const std::vector<Model>& networks, const std::vector<Model>& round) {
    if (networks.empty()) return;
    reference_ = networks.front();
    const Stopwatch since;
    const std::size_t all = networks.size() + round.size();
    for (std::size_t i = 0; i < networks.size(); ++i) {
      if (out_of_time()) return;
      const bool fresh = measure_once(networks[i]);
      if (i == 0) measure_idle(networks[i]);
      const bool last = i + 1 == networks.size();
      if (fresh && i > 0 && (i % kReferenceEvery == 0 || last) && answerable(networks.front()))
        measure(networks.front());
      report("networks measured", static_cast<int>(i) + 1, all, since);
    }
    for (std::size_t i = 0; i < round.size() && !out_of_time(); ++i) {
      if (rig_.can_measure(round[i], setup_)) measure_once(round[i], Widths::round);
      report("networks measured", static_cast<int>(networks.size() + i) + 1, all, since);
    }
  }

  enum class Widths { drawn, round };

  bool measure_once(const Model& network, Widths widths = Widths::drawn) {
    if (!store_
             .find({.profile = summary_.profile,
                    .purpose = Purpose::network,
                    .model_hash = model_hash(network)})
             .empty())
      return false;
    if (!answerable(network)) return false;
    measure(network, widths);
    return true;
  }

  bool answerable(const Model& network) const {
    return !options_.only_answerable || rig_.can_measure(network, setup_);
  }

  void measure(const Model& network, Widths widths = Widths::drawn) {
    stop_if_interrupted();
    Observation observation =
        observe_with_times(rig_, network, &reference_.value(), setup_, options_.precision);
    count(observation.measurement.has_value(), summary_.measured, observation.failure);
    observation.round_widths = widths == Widths::round;
    store_.add(summary_.profile, observation);
  }

  void measure_idle(const Model& load) try {
    if (!rig_.can_idle() || find_idle(store_, summary_.profile)) return;
    put_idle(store_, summary_.profile, rig_.idle_after(load, setup_));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::failed && error.code() != ErrorCode::unknown) throw;
    summary_.warnings.push_back(
        fmt::format("the power of the idle device is not known: {}", error.what()));
  }

  void note_drift(const Model& reference) {
    const auto measured = store_.find({.profile = summary_.profile,
                                       .purpose = Purpose::network,
                                       .model_hash = model_hash(reference)});
    summary_.drift = drift_of(measured);
    if (!summary_.drift.significant) return;
    const bool paced = std::ranges::any_of(
        measured, [](const Observation& network) { return network.pace.has_value(); });
    summary_.warnings.push_back(fmt::format(
        "the device changed while it was profiled: the reference network's energy moved by {:+.1f} "
        "%, its time by {:+.1f} %; {}",
        100 * summary_.drift.energy.value(), 100 * summary_.drift.time.value(),
        paced ? "host times are fitted to the networks' pace, energies as they were measured"
              : fmt::format("the line through its {} measurements is taken out",
                            summary_.drift.repeats)));
  }

  void fit() {
    if (const SharedDualModel model = refit_dual(store_, summary_.profile, setup_))
      summary_.check = check_of(*model);
    else
      summary_.warnings.push_back("too little was measured to fit the dual model");
  }

  Rig& rig_;
  Store& store_;
  const Setup& setup_;
  const DualProfileOptions& options_;
  const std::function<void(const DualProgress&)>& progress_;
  const Stopwatch stopwatch_;
  std::optional<Model> reference_;
  DualSummary summary_;
};

}  // namespace

void require_timing(const Rig& rig) {
  if (!rig.can_time())
    throw Error(ErrorCode::usage,
                fmt::format("{} cannot time blocks alone, which the dual method needs; use "
                            "--method ampere",
                            rig.device().name));
}

DualSummary run_dual_profile(const DualTask& task, Rig& rig, const std::string& rig_name,
                             Store& store, const Setup& setup, const DualProfileOptions& options,
                             const std::function<void(const DualProgress&)>& progress) {
  require_timing(rig);
  return DualProfiler(rig, rig_name, store, setup, options, progress).run(plan_dual(task, options));
}

SharedDualModel refine_dual(const Model& model, SharedDualModel known, Rig& rig, Store& store,
                            std::int64_t profile, const Setup& setup) {
  TimedBlocks timed = timed_blocks(store, profile);
  std::vector<BlockTiming> fresh;
  for (const Block& block : parse_blocks(model)) {
    if (!timed.insert({block.kind->key, block.features}).second) continue;
    fresh.push_back(time_block(rig, block_to_time(block), setup));
  }
  if (fresh.empty()) return known;
  SharedDualModel wiser = with_timings(*known, fresh);
  store.atomically([&] {
    store.add(profile, fresh);
    put_maps(store, profile, to_text(*wiser).maps);
  });
  return wiser;
}

}  // namespace ampere
