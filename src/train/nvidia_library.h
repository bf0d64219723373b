// One of NVIDIA's C libraries, loaded at run time: the build needs no CUDA.
#pragma once

#include <dlfcn.h>

#include <optional>

namespace ampere {

// It stays loaded, as the framework has it loaded too.
class NvidiaLibrary {
 public:
  explicit NvidiaLibrary(const char* file) : handle_(dlopen(file, RTLD_NOW | RTLD_LOCAL)) {}

  // What the function gives, 0 for success; nothing where there is no such library or function. The
  // arguments' types must be the function's own.
  template <typename... Arguments>
  std::optional<int> call(const char* name, Arguments... arguments) const {
    void* address = handle_ ? dlsym(handle_, name) : nullptr;
    if (!address) return std::nullopt;
    return reinterpret_cast<int (*)(Arguments...)>(address)(arguments...);
  }

 private:
  void* handle_;
};

}  // namespace ampere
