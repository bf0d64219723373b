#include "fuzz/boundaries.h"

namespace ampere::fuzz {

std::span<const Boundary> boundaries() {
  static constexpr Boundary kAll[] = {
      {"model", feed_model},       {"spec", feed_spec},       {"recording", feed_recording},
      {"requests", feed_requests}, {"answers", feed_answers}, {"worker", feed_worker},
      {"trace", feed_trace},       {"kernels", feed_kernels}, {"forecast", feed_forecast},
      {"idx", feed_idx},           {"cifar", feed_cifar},     {"npy", feed_npy},
      {"settings", feed_settings}, {"jobs", feed_jobs},       {"suite", feed_suite},
      {"profile", feed_profile},   {"command", feed_command},
  };
  return kAll;
}

}  // namespace ampere::fuzz
