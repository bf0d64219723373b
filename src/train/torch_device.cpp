#include "train/torch_device.h"

#include <ATen/Context.h>
#include <fmt/format.h>
#include <torch/cuda.h>

#include <string_view>

#include "ampere/error.h"
#include "base/text.h"
#include "train/footprint.h"
#include "train/host.h"

namespace ampere {
namespace {

void check_setup(const Setup& setup) {
  if (const std::string missing = missing_from(torch_setups(), setup); !missing.empty())
    throw Error(ErrorCode::usage, fmt::format("the LibTorch trainer cannot {}", missing));
  if (setup.batch < 1)
    throw Error(ErrorCode::usage, fmt::format("batch {}: must be 1 or more", setup.batch));
}

}  // namespace

// Its type differs between versions.
int cuda_devices() { return static_cast<int>(torch::cuda::device_count()); }

at::Device parse_device(const std::string& text) {
  if (text == "cpu") return at::kCPU;
  const std::string prefix = "cuda:";
  if (!text.starts_with(prefix))
    throw Error(ErrorCode::usage,
                fmt::format("device '{}': must be 'cpu' or 'cuda:N' with a number N", text));
  const auto index = parse_integer(std::string_view(text).substr(prefix.size()), "device");
  if (index < 0 || index >= cuda_devices())
    throw Error(ErrorCode::unknown,
                fmt::format("there is no device '{}': this LibTorch sees {} CUDA devices", text,
                            cuda_devices()));
  return {at::kCUDA, static_cast<c10::DeviceIndex>(index)};
}

void seed_numbers() {
  constexpr std::uint64_t kSeed = 20240229;  // any
  at::manual_seed(kSeed);
}

SetupRange torch_setups() { return {{"fp32"}, every_setup().optimizers, {"weight_decay"}}; }

void check_room(const Model& model, const Setup& setup, at::Device device) {
  check_setup(setup);
  if (!device.is_cpu()) return;
  return_freed_memory();
  require_memory(
      fmt::format("{}: out of memory: running it with {} takes", model.name(), to_string(setup)),
      needed_bytes(model, setup));
}

}  // namespace ampere
