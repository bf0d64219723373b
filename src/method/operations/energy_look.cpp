#include "method/operations/energy_look.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "ampere/error.h"
#include "method/operations/rounded_types.h"
#include "program/operation_key.h"
#include "program/tensor_table.h"

namespace ampere {
namespace {

constexpr double kWorthMeasuring = 0.97;  // share of all weight
constexpr double kShared = 0.15;          // weight of a call of both programs; of one alone it is 1
constexpr const char* kLoad = "cnn5";     // any network lifts the clocks

Precision call_precision() {
  return {.relative_error = 0.03,
          .time_limit = Seconds(0.5),
          .min_window = Seconds(0.1),
          .min_periods = 1,
          .min_windows = 2};
}

struct PairOfCounts {
  WeighedOperation operation;
  double before = 0, after = 0;

  double weight() const {
    return (std::abs(after - before) + kShared * std::min(before, after)) * operation.device_s;
  }
};

void add_calls(const Program& program, const ComposedProgram& composed, double PairOfCounts::*side,
               std::unordered_map<OperationKey, PairOfCounts>& calls) {
  const std::vector<OperationKey> keys = operation_keys(program.operations, program.tensors);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const MappedOperation& mapped = composed.mapped[i];
    if (mapped.source == TimeSource::none) continue;
    PairOfCounts& one = calls[keys[i]];
    one.operation = {keys[i], &program, i, mapped.device_s, was_timed(mapped)};
    one.*side += composed.counts[i];
  }
}

double joules_of_call(const Measurement& measured, double device_s, double ready_w,
                      const WorkEnergyLaw& law) {
  const double resting_s = std::max(0.0, measured.time_s.mean - device_s);
  return measured.energy_j.mean - ready_w * resting_s - law.ready_w * device_s;
}

}  // namespace

std::vector<WeighedOperation> weigh_operations(const Program& before,
                                               const ComposedProgram& of_before,
                                               const Program& after,
                                               const ComposedProgram& of_after, std::size_t count) {
  std::unordered_map<OperationKey, PairOfCounts> calls;
  add_calls(before, of_before, &PairOfCounts::before, calls);
  add_calls(after, of_after, &PairOfCounts::after, calls);
  std::vector<PairOfCounts> order;
  double whole = 0;
  for (const auto& [key, one] : calls) {
    whole += one.weight();
    if (one.weight() > 0) order.push_back(one);
  }
  std::ranges::sort(order, [](const PairOfCounts& a, const PairOfCounts& b) {
    return std::pair(-a.weight(), a.operation.key) < std::pair(-b.weight(), b.operation.key);
  });
  const RoundedTypes rounded_before(before), rounded_after(after);
  std::vector<WeighedOperation> chosen;
  double covered = 0;
  for (const PairOfCounts& one : order) {
    if (chosen.size() == count || covered > kWorthMeasuring * whole) break;
    covered += one.weight();
    chosen.push_back(one.operation);
    chosen.back().rounded = (one.operation.program == &before ? rounded_before : rounded_after)
                                .are_read_by(one.operation.operation);
  }
  return chosen;
}

double look_at_ready_power(Rig& rig) {
  const Window window = rig.idle_after(make_zoo_model(kLoad), Setup{});
  return window.energy.value / window.time.count();
}

DrawnEnergies measure_operations(const std::vector<WeighedOperation>& operations, double ready_w,
                                 const WorkEnergyLaw& law, Rig& rig) {
  DrawnEnergies drawn;
  for (const WeighedOperation& each : operations) {
    const Operation& operation = each.program->operations[each.operation];
    try {
      TensorTable table;
      OperationRequest request;
      request.operation = table.add(operation, each.program->tensors);
      request.tensors = table.types();
      request.precision = call_precision();
      request.rounded = each.rounded;
      const double joules = joules_of_call(rig.measure(request), each.device_s, ready_w, law);
      if (joules > 0)
        drawn.joules[each.key] = joules;
      else
        drawn.failures.push_back(
            fmt::format("{} (no more than the device at rest)", operation.name));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::failed && error.code() != ErrorCode::unknown) throw;
      drawn.failures.push_back(fmt::format("{} ({})", operation.name, error.what()));
    }
  }
  return drawn;
}

}  // namespace ampere
