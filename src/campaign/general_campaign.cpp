#include "campaign/general_campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "ampere/error.h"
#include "base/stopwatch.h"
#include "base/text.h"
#include "campaign/claims.h"
#include "campaign/other_sittings.h"
#include "method/operations/energy_design.h"
#include "method/operations/general_evidence.h"
#include "method/operations/host_look.h"
#include "program/tensor_table.h"
#include "program/tf32.h"
#include "setup/general_setup.h"
#include "shipped/corpus.h"

namespace ampere {
namespace {

constexpr std::size_t kPerRequest = 128;  // operations; so many are lost at most when it is killed
constexpr double kLongestOperation_s = 0.1;  // times longer are left to the map
constexpr double kLongestIteration_s = 0.5;  // of a program that is measured
constexpr std::size_t kTimedOfProgram = 60;  // of its dearest operations, so that its sum is known
constexpr Seconds kOperationSeconds{0.011}, kProgramSeconds{7};  // of one, with all around it

// How fast the device seems to be, from what was timed so far: at first as slow as any.
class Affordable {
 public:
  void learn(const SweepOperation& operation, double device_s) {
    const auto features = operation_features(operation.operation, operation.tensors, {});
    if (!features || device_s <= 0) return;
    bytes_per_s_ = std::max(bytes_per_s_, features->work.bytes / device_s);
    double& rate = flops_per_s_[features->work.flop_class];
    rate = std::max(rate, features->work.flops / device_s);
  }

  bool operator()(const SweepOperation& operation) const {
    const auto features = operation_features(operation.operation, operation.tensors, {});
    if (!features) return false;
    const auto found = flops_per_s_.find(features->work.flop_class);
    const double rate = std::max(kSlowest, found == flops_per_s_.end() ? 0 : found->second);
    return features->work.flops / rate + features->work.bytes / bytes_per_s_ < kLongestOperation_s;
  }

 private:
  static constexpr double kSlowest = 1e9;
  double bytes_per_s_ = kSlowest;
  std::map<FlopClass, double> flops_per_s_;
};

class GeneralCampaign {
 public:
  GeneralCampaign(Rig& rig, const std::string& rig_name, Store& store,
                  const GeneralOptions& options, StopToken stop, Listener& listener)
      : rig_(rig),
        store_(store),
        options_(options),
        stop_(stop),
        listener_(listener),
        profile_(store.open_profile(rig.device(), general_setup(), rig_name)),
        claim_(claim_all()),
        evidence_(read_general_evidence(store, profile_)) {
    summary_.profile = profile_;
    summary_.method = "operations";
  }

  ProfileSummary run() {
    is_gpu_ = runs_on_gpu();
    learn_from_store();
    if (claim_) {
      sweep();
      measure_programs();
      conclude();
    }
    summary_.elapsed = stopwatch_.elapsed();
    return std::move(summary_);
  }

 private:
  // What is timed next rests on all that was timed, so that one process at a time goes on with it.
  std::unique_ptr<Claim> claim_all() {
    return wait_for_claim([&] { return store_.claim(profile_, "general"); },
                          {stop_, listener_, "the same device", [&] { return out_of_time(); }});
  }

  bool out_of_time() {
    summary_.stopped_by_time_limit |=
        options_.time_limit && stopwatch_.elapsed() >= *options_.time_limit;
    return summary_.stopped_by_time_limit;
  }

  // The trace of any network says where it would run.
  bool runs_on_gpu() {
    const Trace trace = rig_.trace({TraceRequest::Network{open_model("lenet5"), Setup{}}, {}});
    return trace.program.origin.device != "cpu";
  }

  void learn_from_store() {
    for (const TimedSweep& sweep : evidence_.sweeps) learn(sweep);
    asked_ = evidence_.asked();
    summary_.known = static_cast<int>(asked_.size() + evidence_.programs.size());
  }

  void learn(const TimedSweep& sweep) {
    for (std::size_t i = 0; i < sweep.operations.size(); ++i)
      if (const auto* times = std::get_if<StepTimes>(&sweep.times.each[i]))
        affordable_.learn(sweep.operations[i], times->device.count());
  }

  void sweep() {
    sweep(sweep_of(options_.own), std::numeric_limits<std::size_t>::max());
    const auto wanted = static_cast<std::size_t>(std::max(options_.operations, 0));
    sweep(corpus_sweep(), wanted - std::min(wanted, asked_.size()));
    finish("operations timed");
  }

  // With products in TF32 where the device has that; nobody traced programs for them, since only
  // the setting differs. A recording may be older than what is asked for today.
  std::vector<SweepOperation> corpus_sweep() const {
    std::vector<Program> programs = shipped_corpus();
    Setup tf32;
    tf32.precision = "tf32";
    if (missing_from(rig_.setups(), tf32).empty()) {
      const std::vector<Program> full = programs;
      for (Program program : full) {
        allow_tf32(program);
        if (multiplies_in_tf32(program)) programs.push_back(std::move(program));
      }
    }
    std::vector<SweepOperation> operations = sweep_of(programs);
    std::erase_if(operations, [&](const SweepOperation& each) {
      return !rig_.can_answer(OperationTimesRequest{each.tensors, {each.operation}});
    });
    return operations;
  }

  // Operations that would take too long on what is known of the device wait until larger ones were
  // timed, so that a slow device is never asked for the largest.
  void sweep(std::vector<SweepOperation> waiting, std::size_t most) {
    std::erase_if(waiting, [&](const SweepOperation& each) { return asked_.contains(each.key); });
    const std::size_t missing = std::min(most, waiting.size());
    std::size_t done = 0;
    step_ = Stopwatch();
    while (done < missing && !out_of_time()) {
      std::vector<SweepOperation> next, later;
      for (SweepOperation& each : waiting)
        (next.size() < std::min(kPerRequest, missing - done) && affordable_(each) ? next : later)
            .push_back(std::move(each));
      waiting = std::move(later);
      if (next.empty()) break;
      done += next.size();
      time(std::move(next));
      report("operations timed", static_cast<std::int64_t>(done),
             static_cast<std::int64_t>(missing));
    }
  }

  void time(std::vector<SweepOperation> operations) {
    stop_.throw_if_stopped();
    TensorTable table;
    std::vector<Operation> asked;
    for (const SweepOperation& each : operations)
      asked.push_back(table.add(each.operation, each.tensors));
    const Stopwatch inside;
    TimedSweep sweep{std::move(operations), rig_.time(table.types(), asked), utc_now()};
    summary_.measuring += inside.elapsed();
    keep(store_, profile_, sweep);
    learn(sweep);
    for (std::size_t i = 0; i < sweep.operations.size(); ++i) {
      asked_.insert(sweep.operations[i].key);
      if (std::holds_alternative<StepTimes>(sweep.times.each[i])) {
        ++summary_.timed;
      } else {
        ++summary_.failed;
        failures_[std::get<std::string>(sweep.times.each[i])].push_back(
            sweep.operations[i].operation.name);
      }
    }
    evidence_.sweeps.push_back(std::move(sweep));
  }

  void measure_programs() {
    const auto succeeded = [&] {
      return std::ranges::count_if(evidence_.programs,
                                   [](const auto& each) { return each.measurement.has_value(); });
    };
    if (succeeded() >= options_.programs) return;  // no map is needed to choose any
    step_ = Stopwatch();
    const std::vector<TimedOperation> timed = evidence_.timed();
    const OperationMap map = fit_operation_map(timed, {}).map;
    const HostMap host = fit_host_names(timed);
    const Dialect dialect = is_gpu_ ? Dialect{} : cpu_dialect();
    std::vector<EnergyCandidate> candidates = energy_candidates(rig_.setups(), dialect);
    std::erase_if(candidates, [&](const EnergyCandidate& each) {
      return !rig_.can_measure(each.model, each.setup);
    });
    const std::vector<std::size_t> order =
        design_energy(candidates, map, host, evidence_.measured(), kLongestIteration_s);
    for (const std::size_t i : order) {
      if (succeeded() >= options_.programs || out_of_time()) break;
      measure(candidates[i], map);
      report("programs measured", succeeded(), options_.programs);
    }
    finish("programs measured");
  }

  void measure(const EnergyCandidate& candidate, const OperationMap& map) {
    stop_.throw_if_stopped();
    const Stopwatch inside;
    MeasuredProgram measured;
    measured.program = candidate.program;
    try {
      measured.measurement = rig_.measure(candidate.model, candidate.setup, options_.precision);
      measured.timing = timing_of(candidate);
      measured.host_s = host_of(candidate);
      ++summary_.measured;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::failed) throw;
      measured.failure = error.what();
      ++summary_.failed;
      summary_.warnings.push_back(fmt::format("{} ({}) failed: {}", candidate.program.name,
                                              to_string(candidate.setup), error.what()));
    }
    measured.taken_at = utc_now();
    summary_.measuring += inside.elapsed();
    keep(store_, profile_, measured);
    time_dearest(measured.program, map);
    evidence_.programs.push_back(std::move(measured));
  }

  // What the device does in one step, where it can be said apart from the host.
  std::optional<Timing> timing_of(const EnergyCandidate& candidate) {
    if (!rig_.can_time()) return std::nullopt;
    try {
      return rig_.time(candidate.model, candidate.setup);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::failed) throw;
      return std::nullopt;
    }
  }

  std::optional<double> host_of(const EnergyCandidate& candidate) {
    if (!is_gpu_) return std::nullopt;
    if (!rig_.can_measure(candidate.model, with_small_batch(candidate.setup))) return std::nullopt;
    try {
      return look_at_host(rig_, candidate.model, candidate.setup);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::failed) throw;
      return std::nullopt;
    }
  }

  void time_dearest(const Program& program, const OperationMap& map) {
    const std::vector<MappedOperation> mapped = map_operations(map, program);
    std::vector<SweepOperation> dearest;
    const std::vector<OperationKey> keys = operation_keys(program.operations, program.tensors);
    for (const std::size_t i : dearest_operations(mapped, call_counts(program), kTimedOfProgram)) {
      if (asked_.contains(keys[i])) continue;
      SweepOperation each = taken_out(program.operations[i], program.tensors, keys[i]);
      each.families = {family_of(program.name)};
      if (affordable_(each)) dearest.push_back(std::move(each));
    }
    if (!dearest.empty()) time(std::move(dearest));
  }

  void conclude() {
    for (const auto& [reason, names] : failures_)
      summary_.warnings.push_back(fmt::format("{} could not be timed, {} first: {}",
                                              counted(std::ssize(names), "operation"),
                                              names.front(), reason));
    if (std::ranges::none_of(evidence_.programs,
                             [](const auto& each) { return each.measurement.has_value(); }))
      return;  // nothing can be fitted yet
    const OtherSittings others = other_sittings(store_, profile_, rig_.device(), evidence_);
    for (const std::string& reason : others.not_read)
      summary_.warnings.push_back("a profile of another sitting was left out: " + reason);
    summary_.measured_elsewhere = static_cast<int>(others.rows.size());
    const GeneralProfile profile =
        fit_general_profile(evidence_, rig_.device(), is_gpu_, others.rows);
    store_.put_document(profile_, {kGeneralDocument, to_json(profile)});
    summary_.cross_validated = profile.fitted.laws.cross_validated;
  }

  void report(const char* step, std::int64_t done, std::int64_t of) {
    Progress progress;
    progress.step = step;
    progress.done = done;
    progress.of = of;
    progress.failures = summary_.failed;
    if (done > 0)
      progress.left = step_.elapsed() / static_cast<double>(done) *
                      static_cast<double>(std::max<std::int64_t>(of - done, 0));
    listener_.progress(progress);
    last_ = progress;
  }

  void finish(const char* step) {
    if (last_.step != step) return;
    last_.finished = true;
    listener_.progress(last_);
  }

  Rig& rig_;
  Store& store_;
  const GeneralOptions& options_;
  StopToken stop_;
  Listener& listener_;
  Stopwatch stopwatch_;
  Stopwatch step_;  // since the step that is reported began
  std::int64_t profile_;
  ProfileSummary summary_;
  std::unique_ptr<Claim> claim_;  // nothing when the time was over before it was free
  GeneralEvidence evidence_;
  std::set<OperationKey> asked_;
  Affordable affordable_;
  bool is_gpu_ = true;
  std::map<std::string, std::vector<std::string>> failures_;  // names of operations, by the reason
  Progress last_;
};

void require_operations(const Rig& rig) {
  if (!rig.abilities().contains(Ability::operations))
    throw Error(ErrorCode::usage,
                "a general profile needs a rig that can time operations: the PyTorch of a Python "
                "interpreter, or an ampere-runner with LibTorch");
}

}  // namespace

ProfileSummary profile_generally(Rig& rig, const std::string& rig_name, Store& store,
                                 const GeneralOptions& options, StopToken stop,
                                 Listener& listener) {
  require_operations(rig);
  return GeneralCampaign(rig, rig_name, store, options, stop, listener).run();
}

ProfilePreview preview_general(const Rig& rig, const Store& store,
                               std::optional<std::int64_t> profile, const GeneralOptions& options) {
  require_operations(rig);
  const GeneralEvidence known =
      profile ? read_general_evidence(store, *profile) : GeneralEvidence{};
  ProfilePreview preview;
  preview.method = "operations";
  // Operations of programs that are given are all timed, and count towards those that are wanted.
  const std::set<OperationKey> asked = known.asked();
  const auto own = std::ranges::count_if(
      sweep_of(options.own), [&](const auto& each) { return !asked.contains(each.key); });
  preview.timings =
      std::max(static_cast<int>(own), options.operations - static_cast<int>(asked.size()));
  preview.networks = std::max(0, options.programs - static_cast<int>(known.programs.size()));
  preview.expected = preview.timings * kOperationSeconds + preview.networks * kProgramSeconds;
  return preview;
}

}  // namespace ampere
