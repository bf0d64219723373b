#include "method/operations/program_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "ampere/error.h"
#include "base/stats.h"
#include "method/operations/host_look.h"

namespace ampere {
namespace {

constexpr std::size_t kGroups = static_cast<std::size_t>(OperationGroup::other) + 1;
constexpr double kWorthWarning = 0.05;  // of the device's time

// `least` and `most` are what it would be on other hosts, a matter independent of the deviation.
Interval interval(double mean, double deviation, double confidence, double least, double most) {
  if (!(mean > 0)) return {mean, mean, mean, confidence};
  const double own = deviation * reach(confidence) / reach(kUsualConfidence);
  return {mean, mean * std::exp(-std::hypot(own, std::log(mean / least))),
          mean * std::exp(std::hypot(own, std::log(most / mean))), confidence};
}

KnownTimes times_of(const Program& program, const ProgramEvidence& evidence) {
  std::map<OperationKey, double> seconds;
  if (evidence.seen && program.seen) {
    const std::vector<OperationKey> keys = operation_keys(program.operations, program.tensors);
    for (std::size_t i = 0; i < keys.size(); ++i)
      seconds[keys[i]] = program.seen->operations_s.at(i);
  }
  for (const TimedOperation& each : evidence.timed) {
    if (!(std::isfinite(each.device_s) && each.device_s >= 0))
      throw Error(ErrorCode::failed, fmt::format("{}: {} s is no time of an operation",
                                                 each.operation.name, each.device_s));
    seconds[operation_key(each.operation, each.tensors)] = each.device_s;
  }
  return KnownTimes(seconds);
}

// The energy of one call of each operation: its own work, the power of a busy device while it runs,
// and its share of the ready power of the whole iteration.
std::vector<double> energy_of_calls(const Program& program, const OperationsProfile& profile,
                                    const std::vector<MappedOperation>& mapped,
                                    const ComposedStep& step) {
  const WorkEnergyLaw& law = profile.laws.energy;
  std::vector<double> energy(mapped.size(), 0);
  for (std::size_t i = 0; i < mapped.size(); ++i) {
    if (mapped[i].source == TimeSource::none) continue;
    WorkTerms work;
    work.add(mapped[i], 1, profile.map.device);
    energy[i] = step.work_scale * law.joules(0, mapped[i].device_s, work);
  }
  double ready_j = step.energy_j;
  for (const ProgramStep& each : program.steps)
    ready_j -= energy[static_cast<std::size_t>(each.operation)];
  for (std::size_t i = 0; i < mapped.size(); ++i)
    energy[i] += ready_j * (step.device_s > 0 ? mapped[i].device_s / step.device_s
                                              : 1 / static_cast<double>(program.steps.size()));
  return energy;
}

void share_out(const Program& program, const std::vector<MappedOperation>& mapped,
               const std::vector<double>& energy, ProgramEstimate& estimate) {
  std::vector<ProgramShare> groups(kGroups), modules(program.modules.size());
  for (std::size_t i = 0; i < kGroups; ++i)
    groups[i].name = to_string(static_cast<OperationGroup>(i));
  for (std::size_t i = 0; i < modules.size(); ++i) modules[i].name = program.modules[i];
  std::vector<std::size_t> group_of_operation;
  for (const Operation& operation : program.operations)
    group_of_operation.push_back(static_cast<std::size_t>(group_of(operation)));
  for (const ProgramStep& step : program.steps) {
    const auto operation = static_cast<std::size_t>(step.operation);
    for (ProgramShare* share : {&groups[group_of_operation[operation]],
                                &modules[static_cast<std::size_t>(step.module)]}) {
      ++share->calls;
      share->device_s += mapped[operation].device_s;
      share->energy_j += energy[operation];
    }
  }
  const auto unused = [](const ProgramShare& share) { return share.calls == 0; };
  std::erase_if(groups, unused);
  std::erase_if(modules, unused);
  estimate.groups = std::move(groups);
  estimate.modules = std::move(modules);
}

void name_sources(const Program& program, const std::vector<MappedOperation>& mapped,
                  const std::vector<double>& counts, double device_s, ProgramEstimate& estimate) {
  std::map<std::string, double> foreign;
  for (std::size_t i = 0; i < mapped.size(); ++i) {
    const double share = device_s > 0 ? counts[i] * mapped[i].device_s / device_s : 0;
    estimate.share_of_source[static_cast<std::size_t>(mapped[i].source)] += share;
    if (mapped[i].source == TimeSource::foreign && counts[i] > 0)
      foreign[name_in_part(program.operations[i])] += share;
  }
  for (const auto& [name, share] : foreign) estimate.uncovered.push_back({name, share});
  std::ranges::stable_sort(estimate.uncovered, std::greater{}, &UncoveredName::share);
}

Interval times(const Interval& one, double iterations) {
  return {one.mean * iterations, one.low * iterations, one.high * iterations, one.confidence};
}

// The time of an iteration that waits for the host is k h by the law of the step.
double host_of_waiting(double waiting_s, const OperationLaws& laws, Knowledge knowledge) {
  return waiting_s / laws.time[static_cast<std::size_t>(knowledge)].host_scale;
}

}  // namespace

double reach(double confidence) { return normal_quantile((1 + confidence) / 2); }

Quantity to_quantity(const Interval& interval) {
  const double spread = std::log(interval.high / interval.low) / 2 / reach(interval.confidence);
  return {interval.mean, interval.mean > 0 ? interval.mean * spread : 0};
}

double host_by_law(const Program& program, const OperationsProfile& profile) {
  const HostMap& host = profile.laws.host;
  return host.seconds(host.calls_s(program, call_counts(program)));
}

ComposedStep on_other_host(const ComposedSums& composed, const OperationsProfile& profile,
                           double slowdown) {
  return compose(profile.laws, composed.knowledge, composed.host_s * slowdown, composed.device,
                 composed.work, profile.map.device.power_limit_w);
}

ComposedSums compose_sums(const Program& program, const OperationsProfile& profile,
                          std::span<const MappedOperation> mapped, std::span<const double> counts,
                          const ProgramEvidence& evidence) {
  if (program.steps.empty())
    throw Error(ErrorCode::usage, "the program " + program.name + " has no steps");
  const OperationLaws& laws = profile.laws;
  ComposedSums composed;
  const DeviceSum device = sum_of_operations(mapped, counts);
  const bool seen = evidence.seen && program.seen;
  const std::optional<double> measured_s = host_alone(evidence.host_s, program, device.seconds);
  // A CPU has none apart from the device.
  const double host_s = laws.host.seconds(laws.host.calls_s(program, counts));
  const bool host_known = seen || evidence.waiting || measured_s || host_s == 0;
  composed.host_spread = !host_known                 ? kHostSpread
                         : evidence.waiting && !seen ? evidence.waiting->deviation
                                                     : 0;
  composed.knowledge =
      (seen || !evidence.timed.empty()) && host_known ? Knowledge::device : Knowledge::profile;
  // The law knows what calls of operations take, and not how compiled code makes them.
  composed.host_s = seen ? program.seen->host_s
                    : evidence.waiting
                        ? host_of_waiting(evidence.waiting->seconds, laws, composed.knowledge)
                        : combined_host_s(host_s, measured_s);
  composed.device = device;
  composed.work = work_terms(mapped, counts, profile.map.device);
  composed.step = on_other_host(composed, profile, 1);
  const ComposedStep& step = composed.step;
  if (!(std::isfinite(step.energy_j) && std::isfinite(step.time_s)))
    throw Error(ErrorCode::failed,
                "the profile gives no finite energy and time for the program " + program.name +
                    "; profile the device again",
                Remedy::general_profile);
  return composed;
}

ComposedProgram compose_program(const Program& program, const OperationsProfile& profile,
                                const ProgramEvidence& evidence) {
  ComposedProgram composed;
  composed.mapped = map_operations(profile.map, program, times_of(program, evidence));
  composed.counts = call_counts(program);
  if (!evidence.drawn_j.empty()) {
    const std::vector<OperationKey> keys = operation_keys(program.operations, program.tensors);
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (const auto found = evidence.drawn_j.find(keys[i]); found != evidence.drawn_j.end())
        composed.mapped[i].drawn_j = found->second;
  }
  static_cast<ComposedSums&>(composed) =
      compose_sums(program, profile, composed.mapped, composed.counts, evidence);
  composed.energy_j = energy_of_calls(program, profile, composed.mapped, composed.step);
  return composed;
}

StepIntervals intervals_of(const ComposedSums& composed, const OperationsProfile& profile,
                           double confidence) {
  const ComposedStep& step = composed.step;
  const IntervalFactors& factors =
      profile.laws.factors[static_cast<std::size_t>(composed.knowledge)];
  // A host that nobody looked at may be that of another machine, and one that others use changes.
  // Steps that wait for it change with it, others hardly do.
  const double other = std::exp(composed.host_spread * reach(confidence));
  const ComposedStep faster = on_other_host(composed, profile, 1 / other);
  const ComposedStep slower = on_other_host(composed, profile, other);
  return {interval(step.energy_j, factors.energy * step.energy_deviation, confidence,
                   faster.energy_j, slower.energy_j),
          interval(step.time_s, factors.time * step.time_deviation, confidence, faster.time_s,
                   slower.time_s),
          interval(step.device_s, factors.device * step.device_deviation, confidence, step.device_s,
                   step.device_s)};
}

ProgramEstimate estimate_program(const Program& program, const OperationsProfile& profile,
                                 const ProgramEvidence& evidence, double confidence) {
  const ComposedProgram composed = compose_program(program, profile, evidence);
  const ComposedStep& step = composed.step;
  ProgramEstimate estimate;
  const StepIntervals intervals = intervals_of(composed, profile, confidence);
  estimate.energy_j = intervals.energy_j;
  estimate.time_s = intervals.time_s;
  estimate.device_s = intervals.device_s;
  estimate.host_s = step.host_s;
  estimate.host_bound = step.host_s > step.device_s;
  estimate.power_limited = step.power_limited;
  share_out(program, composed.mapped, composed.energy_j, estimate);
  name_sources(program, composed.mapped, composed.counts, step.device_s, estimate);
  if (const auto peak = peak_memory(program)) estimate.peak_bytes = peak->bytes;
  return estimate;
}

std::vector<int> operations_to_time(const Program& program, const OperationsProfile& profile,
                                    std::size_t count) {
  const std::vector<MappedOperation> mapped = map_operations(profile.map, program);
  std::vector<int> operations;
  for (const std::size_t i : dearest_operations(mapped, call_counts(program), count))
    operations.push_back(static_cast<int>(i));
  return operations;
}

Estimate to_estimate(const ProgramEstimate& estimate, const Workload& workload) {
  Estimate whole;
  const auto iterations = static_cast<double>(workload.iterations);
  whole.energy_j_per_iteration = to_quantity(estimate.energy_j);
  whole.time_s_per_iteration = to_quantity(estimate.time_s);
  whole.energy_j = times(estimate.energy_j, iterations);
  whole.time_s = times(estimate.time_s, iterations);
  for (const ProgramShare& group : estimate.groups) {
    Part part;
    part.kind = part.title = group.name;
    part.count = static_cast<int>(group.calls);
    part.energy_j = Quantity{group.energy_j};
    part.time_s = Quantity{group.device_s};
    whole.parts.push_back(std::move(part));
  }
  for (const UncoveredName& each : estimate.uncovered)
    if (each.share >= kWorthWarning)
      whole.warnings.push_back(
          fmt::format("no operation {} was timed on this device: {:.0f} % of the device's time are "
                      "a guess",
                      each.name, 100 * each.share));
  whole.iteration = estimate;
  return whole;
}

}  // namespace ampere
