// The two system calls behind a perf counter, so that tests can bring their own.
#pragma once

#include <cstdint>
#include <functional>

namespace ampere {

struct PerfCalls {
  // A counter of everything that runs on this CPU: its file descriptor, or -errno.
  std::function<int(std::uint32_t type, std::uint64_t config, int cpu)> open;
  // The bytes read: those of the count, 0 when the kernel gave the counter up, or -errno.
  std::function<std::int64_t(int fd, std::uint64_t& count)> read;
  std::function<void(int fd)> close;
};

PerfCalls system_perf_calls();

}  // namespace ampere
