#include "train/torch_threads.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include "ampere/error.h"
#include "train/blas.h"
#include "train/torch_trainer.h"

namespace ampere {
namespace {

// The mode belongs to each thread, and torch computes on OpenMP's.
void flush_denormals() {
  const int threads = at::get_num_threads();
  at::parallel_for(0, threads, 1,
                   [](std::int64_t, std::int64_t) { at::globalContext().setFlushDenormal(true); });
}

}  // namespace

void prepare_threads() {
  static const bool once = [] {
    flush_denormals();
    restart_blas_threads();
    set_blas_threads(at::get_num_threads());
    return true;
  }();
  static_cast<void>(once);
  flush_denormals();
}

void set_threads(int threads) {
  if (threads < 1)
    throw Error(ErrorCode::usage, fmt::format("threads: must be 1 or more, not {}", threads));
  at::set_num_threads(threads);
  prepare_threads();
  set_blas_threads(threads);
}

// Both products are denormal: elementwise by torch's threads, as a matrix product by BLAS's.
bool denormals_flushed() {
  const auto all_zero = [](const at::Tensor& values) {
    return !values.view(at::kInt).any().item<bool>();  // as bits: this thread may read them as 0
  };
  const at::Tensor tiny = at::full({1 << 20}, 1e-37f);
  const at::Tensor small = at::full({256, 256}, 1e-21f);
  return all_zero(tiny * 1e-2f) && all_zero(at::mm(small, small));
}

}  // namespace ampere
