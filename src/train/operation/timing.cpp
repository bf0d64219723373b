#include "train/operation/timing.h"

#include <ATen/ATen.h>
#include <c10/core/DeviceGuard.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "ampere/error.h"
#include "base/stats.h"
#include "base/steady_now.h"
#include "train/cuda_stream.h"
#include "train/host.h"
#include "train/operation/call.h"
#include "train/torch_device.h"
#include "train/torch_guard.h"
#include "train/torch_threads.h"

namespace ampere {
namespace {

constexpr Seconds kBurst{0.002}, kLong{0.02};  // what takes longer is timed once
constexpr int kBursts = 3;

Seconds burst(const OperationCall& call, int calls) {
  const Seconds start = steady_now();
  for (int i = 0; i < calls; ++i) call();
  return (steady_now() - start) / calls;
}

// On a CPU the call is the work.
StepTimes time_on_cpu(const OperationCall& call) {
  call();
  const Seconds once = burst(call, 1);
  if (once > kLong) return {once, Seconds{}};
  const auto calls = std::max(1, static_cast<int>(kBurst / std::max(once, Seconds{1e-7})));
  std::vector<double> times;
  for (int i = 0; i < kBursts; ++i) times.push_back(burst(call, calls).count());
  return {Seconds{median(times)}, Seconds{}};
}

double bytes_of(const Operation& operation, const OperationTensors& tensors) {
  double bytes = 0;
  for (const ValueList* values : {&operation.arguments, &operation.results})
    for (const Value& value : *values) bytes += tensors.bytes_of(value);
  for (const auto& [name, value] : operation.keywords) bytes += tensors.bytes_of(value);
  return bytes;
}

// What CUDA reports once, it reports for every later call of the process.
bool is_fatal(const std::string& text) {
  constexpr std::array kSigns{"CUDA error", "device-side assert", "illegal memory access",
                              "cuDNN error", "CUBLAS_STATUS"};
  return std::ranges::any_of(
      kSigns, [&](const char* sign) { return text.find(sign) != std::string::npos; });
}

// PyTorch's defaults where the operation does not say otherwise.
void set_tf32(const Operation& operation) {
  at::globalContext().setAllowTF32CuBLAS(operation.tf32.value_or(false));
  at::globalContext().setAllowTF32CuDNN(operation.tf32.value_or(true));
}

class TorchOperations final : public OperationTimer {
 public:
  explicit TorchOperations(at::Device device) : device_(device) { seed_numbers(); }

  StepTimes time(const Operation& operation, std::span<const TensorType> types) override try {
    return guarded(operation.name, [&] {
      prepare_threads();
      const c10::DeviceGuard current(device_);
      const OperationTensors tensors(types, device_);
      if (device_.is_cpu())  // a GPU refuses what does not fit
        require_memory(operation.name + ": out of memory: its tensors take",
                       bytes_of(operation, tensors));
      set_tf32(operation);
      const OperationCall call = make_call(operation, tensors);
      if (device_.is_cpu()) return time_on_cpu(call);
      return time_steps(*open_cuda_queue(), call, kOfAnOperation);
    });
  } catch (const Error& error) {
    usable_ = usable_ && !is_fatal(error.what());
    if (error.code() == ErrorCode::failed) throw;
    throw Error(ErrorCode::failed, error.what());
  }

  bool is_usable() const override { return usable_; }

 private:
  at::Device device_;
  bool usable_ = true;
};

}  // namespace

std::unique_ptr<OperationTimer> open_operation_timer(const std::string& device) {
  keep_freed_memory();
  return std::make_unique<TorchOperations>(parse_device(device));
}

}  // namespace ampere
