#include "meter/rapl/perf_calls.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace ampere {
namespace {

int open_perf_counter(std::uint32_t type, std::uint64_t config, int cpu) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = type;
  attributes.config = config;
  constexpr int kEveryProcess = -1, kNoGroup = -1;
  const long fd = syscall(SYS_perf_event_open, &attributes, kEveryProcess, cpu, kNoGroup,
                          static_cast<unsigned long>(PERF_FLAG_FD_CLOEXEC));
  return fd < 0 ? -errno : static_cast<int>(fd);
}

std::int64_t read_perf_counter(int fd, std::uint64_t& count) {
  const ssize_t size = ::read(fd, &count, sizeof count);
  return size < 0 ? -errno : size;
}

}  // namespace

PerfCalls system_perf_calls() {
  return {open_perf_counter, read_perf_counter, [](int fd) { ::close(fd); }};
}

}  // namespace ampere
