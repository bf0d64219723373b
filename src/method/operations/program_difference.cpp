#include "method/operations/program_difference.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "program/operation_key.h"

namespace ampere {
namespace {

// Of what the laws leave over, between programs that do the same kind of work in other sizes.
constexpr double kWorkCorrelation = 0.7;
// Of the host's time, between programs that call operations of the same names equally often.
constexpr double kHostCorrelation = 0.9;
// Relative standard deviations of the measured energy of a call against the same call among others:
// of all operations together, whose data is in the caches when they are repeated, and of each.
constexpr double kDrawnTogether = 0.06, kDrawnAlone = 0.04;

struct KeyedOperation {
  const MappedOperation* mapped = nullptr;
  double calls = 0, seconds = 0;  // all together
};
using KeyedOperations = std::map<OperationKey, KeyedOperation>;

KeyedOperations keyed(const Program& program, const ComposedProgram& composed) {
  const std::vector<OperationKey> keys = operation_keys(program.operations, program.tensors);
  KeyedOperations operations;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (composed.mapped[i].source == TimeSource::none) continue;
    KeyedOperation& one = operations[keys[i]];
    one.mapped = &composed.mapped[i];
    one.calls += composed.counts[i];
    one.seconds += composed.counts[i] * composed.mapped[i].device_s;
  }
  return operations;
}

// Those whose energy was not measured.
KeyedOperations left_to_law(KeyedOperations operations) {
  std::erase_if(operations,
                [](const auto& each) { return each.second.mapped->drawn_j.has_value(); });
  return operations;
}

std::map<std::pair<int, bool>, double> seconds_by_work(const KeyedOperations& operations) {
  std::map<std::pair<int, bool>, double> seconds;
  for (const auto& [key, one] : operations)
    seconds[{static_cast<int>(one.mapped->features.part), one.mapped->features.half}] +=
        one.seconds;
  return seconds;
}

// Σ min(a, b) / max(Σ a, Σ b): 1 for equal shares of equal sums, 0 for nothing in common.
template <class Key, class ValueOf>
double overlap(const std::map<Key, ValueOf>& a, const std::map<Key, ValueOf>& b, auto seconds_of) {
  double common = 0, sum_a = 0, sum_b = 0;
  for (const auto& [key, value] : a) {
    sum_a += seconds_of(value);
    if (const auto found = b.find(key); found != b.end())
      common += std::min(seconds_of(value), seconds_of(found->second));
  }
  for (const auto& [key, value] : b) sum_b += seconds_of(value);
  const double longer = std::max(sum_a, sum_b);
  return longer > 0 ? common / longer : 1;
}

// The same of shares, so that a program that does all of it twice is alike.
double likeness(const KeyedOperations& a, const KeyedOperations& b) {
  auto of_a = seconds_by_work(a), of_b = seconds_by_work(b);
  for (auto* each : {&of_a, &of_b}) {
    double sum = 0;
    for (const auto& [work, seconds] : *each) sum += seconds;
    if (sum > 0)
      for (auto& [work, seconds] : *each) seconds /= sum;
  }
  return overlap(of_a, of_b, [](double share) { return share; });
}

std::map<std::string, double> calls_by_name(const Program& program) {
  std::map<std::string, double> calls;
  for (const ProgramStep& step : program.steps)
    ++calls[program.operations[static_cast<std::size_t>(step.operation)].name];
  return calls;
}

// Equal shares of equal operations.
double sameness(const KeyedOperations& a, const KeyedOperations& b) {
  return overlap(a, b, [](const KeyedOperation& one) { return one.seconds; });
}

// Of what the laws leave over.
double work_correlation(const KeyedOperations& a, const KeyedOperations& b) {
  const double same = sameness(a, b);
  return same + (1 - same) * kWorkCorrelation * likeness(a, b);
}

// Of what is not an operation's own.
struct Correlations {
  double host = 0;  // it hands over calls, whatever their shapes
  double sum = 0;   // operations alone against the same in a program
  double law = 0;   // what the law of the energy leaves over
};

double variance_apart(double a, double b, double correlation) {
  return a * a + b * b - 2 * correlation * a * b;
}

// One of both sums: energies or times.
struct Side {
  double value = 0;
  double by_law = 0;  // the part of it that was not measured operation by operation
  const ErrorShares& errors;
  double device_s = 0;
  const KeyedOperations& operations;
};

double variance_of_difference(const Side& a, const Side& b, const Correlations& correlations) {
  std::map<OperationKey, std::pair<const MappedOperation*, double>> moved;
  const auto add = [&](const Side& side, double sign) {
    if (!(side.device_s > 0)) return;
    const double per_second = sign * side.value * side.errors.device / side.device_s;
    for (const auto& [key, one] : side.operations) {
      auto& [mapped, error] = moved[key];
      mapped = one.mapped;
      error += per_second * one.seconds * one.mapped->deviation;
    }
  };
  add(a, -1);
  add(b, 1);
  OperationErrors by_operations;
  for (const auto& [key, one] : moved) by_operations.add(*one.first, one.second);
  const double host =
      variance_apart(a.value * a.errors.host, b.value * b.errors.host, correlations.host);
  const double sum =
      variance_apart(a.value * a.errors.sum, b.value * b.errors.sum, correlations.sum);
  const double law =
      variance_apart(a.by_law * a.errors.law, b.by_law * b.errors.law, correlations.law);
  return std::max(0.0, by_operations.variance() + host + sum + law);
}

// Of the energy that was measured operation by operation.
double drawn_variance(const KeyedOperations& a, const KeyedOperations& b) {
  std::map<OperationKey, double> moved_j;
  const auto add = [&](const KeyedOperations& operations, double sign) {
    for (const auto& [key, one] : operations)
      if (one.mapped->drawn_j) moved_j[key] += sign * one.calls * *one.mapped->drawn_j;
  };
  add(a, -1);
  add(b, 1);
  double sum = 0, squares = 0;
  for (const auto& [key, joules] : moved_j) sum += joules, squares += joules * joules;
  return kDrawnTogether * kDrawnTogether * sum * sum + kDrawnAlone * kDrawnAlone * squares;
}

// What a host of another speed, which is the same for both, does to the differences: one standard
// deviation. Nothing where the host was looked at.
struct HostEffect {
  double energy_j = 0, time_s = 0;
};

HostEffect effect_of_host(const ComposedProgram& a, const ComposedProgram& b,
                          const OperationsProfile& profile) {
  const double spread = std::max(a.host_spread, b.host_spread);
  if (spread == 0) return {};
  const auto difference = [&](double slowdown) -> HostEffect {
    const ComposedStep of_a = on_other_host(a, profile, slowdown);
    const ComposedStep of_b = on_other_host(b, profile, slowdown);
    return {of_b.energy_j - of_a.energy_j, of_b.time_s - of_a.time_s};
  };
  const double other = std::exp(spread);
  const HostEffect slower = difference(other), faster = difference(1 / other);
  return {(slower.energy_j - faster.energy_j) / 2, (slower.time_s - faster.time_s) / 2};
}

}  // namespace

CostDifference program_difference(const Program& before, const ComposedProgram& of_before,
                                  const Program& after, const ComposedProgram& of_after,
                                  const OperationsProfile& profile) {
  const KeyedOperations a = keyed(before, of_before), b = keyed(after, of_after);
  const double same = sameness(a, b);
  const double same_calls =
      overlap(calls_by_name(before), calls_by_name(after), [](double calls) { return calls; });
  const Correlations correlation{same + (1 - same) * kHostCorrelation * same_calls,
                                 work_correlation(a, b),
                                 work_correlation(left_to_law(a), left_to_law(b))};
  const ComposedStep &step_a = of_before.step, &step_b = of_after.step;
  const double energy_variance =
      variance_of_difference({step_a.energy_j, step_a.energy_j - of_before.work.drawn_j,
                              step_a.energy_errors, step_a.device_s, a},
                             {step_b.energy_j, step_b.energy_j - of_after.work.drawn_j,
                              step_b.energy_errors, step_b.device_s, b},
                             correlation) +
      drawn_variance(a, b);
  const double time_variance = variance_of_difference(
      {step_a.time_s, step_a.time_s, step_a.time_errors, step_a.device_s, a},
      {step_b.time_s, step_b.time_s, step_b.time_errors, step_b.device_s, b}, correlation);
  // The factors make intervals of 90 % of such deviations.
  const Knowledge knowledge = std::min(of_before.knowledge, of_after.knowledge);
  const IntervalFactors& factors = profile.laws.factors[static_cast<std::size_t>(knowledge)];
  const double usual = reach(kUsualConfidence);
  const HostEffect host = effect_of_host(of_before, of_after, profile);
  return {{step_b.energy_j - step_a.energy_j,
           std::hypot(factors.energy / usual * std::sqrt(energy_variance), host.energy_j)},
          {step_b.time_s - step_a.time_s,
           std::hypot(factors.time / usual * std::sqrt(time_variance), host.time_s)}};
}

}  // namespace ampere
