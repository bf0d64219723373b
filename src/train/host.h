// The machine the process runs on, as the system describes it.
#pragma once

#include <cstdint>
#include <string>

namespace ampere {

struct HostInfo {
  std::string name;      // the processor: "AMD EPYC 7B13"; "unknown processor" when nothing says
  std::string hardware;  // "x86_64, 2 logical cores, 23 GiB"
  std::string system;    // "Linux 6.1.0-18-amd64"
};
HostInfo host_info();

// Bytes that can still be allocated here, limits of the container included.
std::int64_t available_memory();

std::string gibibytes(double bytes);  // "23 GiB", "0.4 GiB"

}  // namespace ampere
