#include "base/child_environment.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace ampere {
namespace {

using Names = std::vector<std::string_view>;

const Names kNeeded{
    // the user and the machine
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_*", "TZ", "TMPDIR", "TERM",
    "XDG_*",
    // libraries and compilers, which torch.compile runs
    "LD_LIBRARY_PATH", "LD_PRELOAD", "MALLOC_*", "GLIBC_TUNABLES", "CC", "CXX", "CPATH",
    "LIBRARY_PATH", "*SAN_OPTIONS",
    // interpreters
    "PYTHON*", "VIRTUAL_ENV", "CONDA_*",
    // frameworks and their threads
    "TORCH*", "PYTORCH_*", "ATEN_*", "TRITON_*", "HF_HOME", "HF_HUB_*", "HF_DATASETS_*",
    "TRANSFORMERS_*", "OMP_*", "GOMP_*", "KMP_*", "MKL_*", "OPENBLAS_*", "BLIS_*",
    // accelerators
    "CUDA_*", "CUDNN_*", "CUBLAS_*", "NCCL_*", "NVIDIA_*", "ROCM_*", "ROCR_*", "HIP_*", "HSA_*",
    "MIOPEN_*", "ONEAPI_*", "SYCL_*", "ZE_*", "ZES_*",
    // remote shells, phones and job schedulers
    "SSH_AUTH_SOCK", "SSH_AGENT_PID", "KRB5CCNAME", "ADB_*", "ANDROID_*", "SLURM*",
    // our own
    "AMPERE_PROGRAM", kPassEnvironment};

constexpr std::array<std::string_view, 7> kSecret{"PASSWORD",   "PASSWD",  "SECRET",    "TOKEN",
                                                  "CREDENTIAL", "API_KEY", "ACCESS_KEY"};

bool matches(std::string_view name, std::string_view pattern) {
  if (pattern.ends_with('*')) return name.starts_with(pattern.substr(0, pattern.size() - 1));
  if (pattern.starts_with('*')) return name.ends_with(pattern.substr(1));
  return name == pattern;
}

bool matches_one(std::string_view name, const Names& patterns) {
  return std::ranges::any_of(patterns,
                             [&](std::string_view pattern) { return matches(name, pattern); });
}

Names names_in(std::string_view list) {
  Names names;
  constexpr std::string_view kBetween = ", ";
  for (std::size_t at = 0; (at = list.find_first_not_of(kBetween, at)) != std::string_view::npos;) {
    const std::size_t end = std::min(list.find_first_of(kBetween, at), list.size());
    names.push_back(list.substr(at, end - at));
    at = end;
  }
  return names;
}

bool is_secret(std::string_view name) {
  return std::ranges::any_of(
      kSecret, [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

}  // namespace

bool is_for_children(std::string_view name, std::string_view passed) {
  return matches_one(name, names_in(passed)) || (matches_one(name, kNeeded) && !is_secret(name));
}

std::vector<std::string> child_environment() {
  const char* asked = std::getenv(kPassEnvironment);
  const std::string_view passed = asked == nullptr ? "" : asked;
  std::vector<std::string> kept;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (is_for_children(text.substr(0, text.find('=')), passed)) kept.emplace_back(text);
  }
  return kept;
}

std::vector<char*> exec_pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace ampere
