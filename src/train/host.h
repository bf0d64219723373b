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

// Throws Error(failed) that says who needs so many bytes, when the machine does not have them: here
// allocating too much succeeds, and kills later.
void require_memory(const std::string& who, double bytes);

// From now on freed memory stays with the process. By default the C library gives large blocks back
// and takes them again in every iteration or not at all, as the layout of the heap has it: the same
// network then costs up to 1.5 times as much at one time as at another.
void keep_freed_memory();
void return_freed_memory();  // what is free at the moment, so that it counts as available

std::string gibibytes(double bytes);  // "23 GiB", "0.4 GiB"

}  // namespace ampere
