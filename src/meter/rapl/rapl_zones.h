// Where RAPL counters are found: each of the two ways gives the same zones under the same names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "meter/counter_meter.h"
#include "meter/rapl/rapl.h"

namespace ampere {

enum class RaplPart { package, core, uncore, dram, psys };

// What a counter is of: package 0, or die 1 of it where a package has several.
struct RaplSocket {
  int package = 0;
  std::optional<int> die;
};

struct RaplZones {
  std::vector<CounterZone> zones;
  std::vector<std::string> caveats;
  std::optional<Joules> resolution;  // of the coarsest zone, where it is known
};

// Both throw Error(no_meter) when there are none, Error(permission) when those of the packages may
// not be read, Error(failed) when they hold garbage. What else cannot be read is left out with a
// caveat.
RaplZones find_powercap_zones(const RaplOptions& options);
RaplZones find_perf_zones(const RaplOptions& options);

// Names, places and whether it counts: packages and memory do, psys only where it stands alone.
MeterDomain rapl_domain(RaplPart part, const RaplSocket& socket, const sysfs::Path& root);
void settle_total(std::vector<CounterZone>& zones);
bool counts_something(const std::vector<CounterZone>& zones);
bool is_package(const MeterDomain& domain);

}  // namespace ampere
