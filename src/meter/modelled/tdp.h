// The thermal design power of processors, and which processor this is.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "meter/sysfs.h"

namespace ampere {

struct CpuInfo {
  std::string name;  // as the kernel says it, of the board where it says nothing else; may be empty
  int logical_cores = 1;
  int packages = 1;
};

// From `proc`/cpuinfo and the device tree; nothing of it need be there.
CpuInfo read_cpu_info(const sysfs::Path& proc);

struct Tdp {
  std::string_view name;  // "intel core i7-8700k"; the beginning of a name where it is of a board
  int watts = 0;          // of one package, by its maker's data sheet
  int threads = 1;        // it runs at once
};

// Without marks, clock and the like: "Intel(R) Core(TM) i7-8700K CPU @ 3.70GHz" is "intel core
// i7-8700k".
std::string normal_cpu_name(std::string_view name);

std::optional<Tdp> find_tdp(std::string_view cpu_name);

}  // namespace ampere
