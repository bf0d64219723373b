#include "train/cuda_driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>

#include "ampere/error.h"
#include "train/host.h"

namespace ampere {
namespace {

// From cuda.h: CUdevice_attribute.
constexpr int kMultiprocessors = 16, kCapabilityMajor = 75, kCapabilityMinor = 76;

using Text = std::array<char, 256>;

// One of NVIDIA's C libraries, all of whose functions give 0 for success. It stays loaded, as the
// framework has it loaded too.
class Library {
 public:
  explicit Library(const char* file) : handle_(dlopen(file, RTLD_NOW | RTLD_LOCAL)) {}

  // The arguments' types must be the function's own.
  template <typename... Arguments>
  bool call(const char* name, Arguments... arguments) const {
    void* address = handle_ ? dlsym(handle_, name) : nullptr;
    return address && reinterpret_cast<int (*)(Arguments...)>(address)(arguments...) == 0;
  }

  template <typename... Arguments>
  void must(const char* name, Arguments... arguments) const {
    if (!call(name, arguments...))
      throw Error(ErrorCode::unknown,
                  fmt::format("the CUDA driver (libcuda.so.1): {} failed: is a GPU visible here? "
                              "nvidia-smi and CUDA_VISIBLE_DEVICES tell",
                              name));
  }

 private:
  void* handle_;
};

int attribute(const Library& cuda, int which, int device) {
  int value = 0;
  cuda.must("cuDeviceGetAttribute", &value, which, device);
  return value;
}

std::string driver_version(const Library& cuda) {
  const Library nvml("libnvidia-ml.so.1");
  Text version{};
  const bool known =
      nvml.call("nvmlInit_v2") && nvml.call("nvmlSystemGetDriverVersion", version.data(),
                                            static_cast<unsigned>(version.size()));
  nvml.call("nvmlShutdown");
  if (known) return version.data();
  int supported = 0;  // 13000 for 13.0
  cuda.must("cuDriverGetVersion", &supported);
  return fmt::format("driver for CUDA {}.{}", supported / 1000, supported % 1000 / 10);
}

}  // namespace

CudaDevice cuda_device(int index) {
  const Library cuda("libcuda.so.1");
  int device = 0;
  Text name{};
  std::size_t memory = 0;
  cuda.must("cuInit", 0u);
  cuda.must("cuDeviceGet", &device, index);
  cuda.must("cuDeviceGetName", name.data(), static_cast<int>(name.size()), device);
  cuda.must("cuDeviceTotalMem_v2", &memory, device);
  return {name.data(),
          fmt::format(
              "{} multiprocessors, compute capability {}.{}, {}",
              attribute(cuda, kMultiprocessors, device), attribute(cuda, kCapabilityMajor, device),
              attribute(cuda, kCapabilityMinor, device), gibibytes(static_cast<double>(memory))),
          driver_version(cuda)};
}

}  // namespace ampere
