#include "train/blas.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "base/text.h"

namespace ampere {
namespace {

constexpr int kOwnThreads = 1;  // what openblas_get_parallel() gives for the pthread variant

template <typename Signature>
Signature* function(const char* name) {
  return reinterpret_cast<Signature*>(dlsym(RTLD_DEFAULT, name));
}

// The file a function comes from, links resolved; empty when there is no such function.
std::string origin(const char* name) {
  void* address = dlsym(RTLD_DEFAULT, name);
  Dl_info info{};
  if (!address || dladdr(address, &info) == 0 || !info.dli_fname) return "";
  std::error_code ignored;
  const auto path = std::filesystem::canonical(info.dli_fname, ignored);
  return path.empty() ? info.dli_fname : path.string();
}

// OpenBLAS may be in the process for somebody else: it counts when the matrix product comes from
// it, or from the thin libblas.so.3 that Debian puts into a folder of its name.
bool openblas_multiplies() {
  static const bool result = [] {
    const std::string product = origin("sgemm_");
    const std::string config = origin("openblas_get_config");
    return !config.empty() && (product == config || product.find("openblas") != std::string::npos);
  }();
  return result;
}

}  // namespace

std::string blas_name() {
  if (openblas_multiplies()) {
    const std::string config = function<char*()>("openblas_get_config")();
    const auto words = split(config, ' ');  // "OpenBLAS 0.3.21 NO_LAPACKE …"
    return words.size() < 2 ? config : fmt::format("{} {}", words[0], words[1]);
  }
  return origin("sgemm_").find("/blas/libblas.so") == std::string::npos ? "BLAS unknown"
                                                                        : "reference BLAS";
}

void set_blas_threads(int threads) {
  if (!openblas_multiplies()) return;
  if (auto* set = function<void(int)>("openblas_set_num_threads")) set(threads);
}

void restart_blas_threads() {
  if (!openblas_multiplies()) return;
  auto* parallel = function<int()>("openblas_get_parallel");
  auto* stop = function<int()>("blas_thread_shutdown_");
  auto* start = function<int()>("blas_thread_init");
  if (!parallel || parallel() != kOwnThreads || !stop || !start) return;
  stop();
  start();
}

}  // namespace ampere
