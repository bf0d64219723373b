// RAPL, the energy counters of x86 processors: through perf_event, or through powercap.
#pragma once

#include "ampere/meter.h"
#include "meter/counter_meter.h"
#include "meter/rapl/perf_calls.h"
#include "meter/sysfs.h"

namespace ampere {

// The outside world, so that tests can bring their own.
struct RaplOptions {
  sysfs::Path root = "/";  // where sys and proc are
  std::function<std::uint64_t(const sysfs::Path&)> read_count = sysfs::read_count;
  PerfCalls perf = system_perf_calls();
  CounterOptions counter = {.most_power = Watts{5000}, .longest_rest = Seconds{5}};
  Seconds compare_for{0.1};  // perf against powercap, where both can be read
};

// `way` is "perf", "powercap", or empty for the better one that works: perf, else powercap. Throws
// Error(no_meter) and Error(permission) with the files, what the system said and what to do, and
// Error(usage) for another way.
std::unique_ptr<Meter> open_rapl_meter(std::string_view way, const RaplOptions& options = {});

// One probe: what was found and whether perf and powercap agree, or why there is nothing.
std::vector<MeterProbe> probe_rapl(const RaplOptions& options = {});

}  // namespace ampere
