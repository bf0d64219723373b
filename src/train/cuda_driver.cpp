#include "train/cuda_driver.h"

#include <fmt/format.h>

#include <array>

#include "ampere/error.h"
#include "train/host.h"
#include "train/nvidia_library.h"

namespace ampere {
namespace {

// From cuda.h: CUdevice_attribute.
constexpr int kMultiprocessors = 16, kCapabilityMajor = 75, kCapabilityMinor = 76;

using Text = std::array<char, 256>;

template <typename... Arguments>
void must(const NvidiaLibrary& cuda, const char* name, Arguments... arguments) {
  if (cuda.call(name, arguments...) != 0)
    throw Error(ErrorCode::unknown,
                fmt::format("the CUDA driver (libcuda.so.1): {} failed: is a GPU visible here? "
                            "nvidia-smi and CUDA_VISIBLE_DEVICES tell",
                            name));
}

int attribute(const NvidiaLibrary& cuda, int which, int device) {
  int value = 0;
  must(cuda, "cuDeviceGetAttribute", &value, which, device);
  return value;
}

std::string driver_version(const NvidiaLibrary& cuda) {
  const NvidiaLibrary nvml("libnvidia-ml.so.1");
  Text version{};
  const bool known =
      nvml.call("nvmlInit_v2") == 0 && nvml.call("nvmlSystemGetDriverVersion", version.data(),
                                                 static_cast<unsigned>(version.size())) == 0;
  nvml.call("nvmlShutdown");
  if (known) return version.data();
  int supported = 0;  // 13000 for 13.0
  must(cuda, "cuDriverGetVersion", &supported);
  return fmt::format("driver for CUDA {}.{}", supported / 1000, supported % 1000 / 10);
}

}  // namespace

CudaDevice cuda_device(int index) {
  const NvidiaLibrary cuda("libcuda.so.1");
  int device = 0;
  Text name{};
  std::size_t memory = 0;
  must(cuda, "cuInit", 0u);
  must(cuda, "cuDeviceGet", &device, index);
  must(cuda, "cuDeviceGetName", name.data(), static_cast<int>(name.size()), device);
  must(cuda, "cuDeviceTotalMem_v2", &memory, device);
  return {name.data(),
          fmt::format(
              "{} multiprocessors, compute capability {}.{}, {}",
              attribute(cuda, kMultiprocessors, device), attribute(cuda, kCapabilityMajor, device),
              attribute(cuda, kCapabilityMinor, device), gibibytes(static_cast<double>(memory))),
          driver_version(cuda)};
}

}  // namespace ampere
