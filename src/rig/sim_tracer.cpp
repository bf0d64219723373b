#include "rig/sim_tracer.h"

#include <fmt/format.h>

#include "program/operation_key.h"
#include "rig/lowered_trace.h"
#include "rig/sim_noise.h"
#include "rig/sim_operation.h"

namespace ampere {
namespace {

constexpr double kOperationTime = 0.005;  // s to time one operation
constexpr double kBytesPerGiB = 1024.0 * 1024 * 1024;

class SimTracer final : public Tracer {
 public:
  SimTracer(const SimLaw& law, int seed, std::shared_ptr<SimState> state)
      : law_(law), keys_(law.name, seed), state_(std::move(state)) {}

  Trace trace(const TraceRequest& request) override {
    return lowered_trace(request, Dialect{}, law_.title + ": a simulated device",
                         "the device is simulated");
  }

  OperationTimes time(const OperationTimesRequest& request) override {
    const auto keys = operation_keys(request.operations, request.tensors);
    OperationTimes times;
    times.each.reserve(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i)
      times.each.push_back(time_one(request.operations[i], request.tensors, keys[i]));
    return times;
  }

 private:
  std::variant<StepTimes, std::string> time_one(const Operation& operation,
                                                std::span<const TensorType> tensors,
                                                OperationKey key) {
    const SimCost cost = sim_operation_cost(law_, operation, tensors);
    if (cost.memory_bytes > law_.memory_bytes)
      return fmt::format("out of memory: its tensors take {:.1f} GiB and the {} has {:.1f} GiB",
                         cost.memory_bytes / kBytesPerGiB, law_.title,
                         law_.memory_bytes / kBytesPerGiB);
    SimNoise noise(keys_.next(fmt::format("operation {:016x}", key)));
    state_->advance(kOperationTime, law_.static_w);
    const double device_factor = noise.factor(kSimTimingSpread);
    // As on a CPU: the call is the work.
    if (law_.overlap == 0)
      return StepTimes{Seconds((cost.device_s + cost.host_s) * device_factor), Seconds{}};
    return StepTimes{Seconds(cost.device_s * device_factor),
                     Seconds(cost.host_s * noise.factor(law_.noise.time))};
  }

  const SimLaw& law_;
  SimNoiseKeys keys_;
  std::shared_ptr<SimState> state_;
};

}  // namespace

std::unique_ptr<Tracer> make_sim_tracer(const SimLaw& law, int seed,
                                        std::shared_ptr<SimState> state) {
  return std::make_unique<SimTracer>(law, seed, std::move(state));
}

}  // namespace ampere
