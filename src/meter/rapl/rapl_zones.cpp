#include "meter/rapl/rapl_zones.h"

#include <fmt/format.h>

#include <algorithm>

#include "meter/machine.h"

namespace ampere {
namespace {

constexpr const char* kPackagePrefix = "package-";
constexpr const char* kPsys = "psys";

std::string number_of(const RaplSocket& socket) {
  return socket.die ? fmt::format("{}-die-{}", socket.package, *socket.die)
                    : fmt::format("{}", socket.package);
}

std::string place_of(const RaplSocket& socket) {
  return socket.die ? fmt::format("machine/package-{}/die-{}", socket.package, *socket.die)
                    : fmt::format("machine/package-{}", socket.package);
}

}  // namespace

MeterDomain rapl_domain(RaplPart part, const RaplSocket& socket, const sysfs::Path& root) {
  const std::string number = number_of(socket), place = place_of(socket);
  switch (part) {
    case RaplPart::package:
      return {kPackagePrefix + number, true, place,
              "cores, caches, memory controllers and graphics in the package, not the memory"};
    case RaplPart::core:
      return {"core-" + number, false, place + "/core",
              machine_vendor(root) == Vendor::amd ? "one core alone: AMD counts each by itself"
                                                  : "the cores and their own caches"};
    case RaplPart::uncore:
      return {"uncore-" + number, false, place + "/uncore", "graphics in the package"};
    case RaplPart::dram:
      return {"dram-" + number, true, "machine/dram-" + number, "the memory of this package"};
    case RaplPart::psys:
      break;
  }
  return {kPsys, false, "machine", "the whole platform, as its maker wired it"};
}

bool is_package(const MeterDomain& domain) { return domain.name.starts_with(kPackagePrefix); }

void settle_total(std::vector<CounterZone>& zones) {
  const bool packages =
      std::ranges::any_of(zones, [](const CounterZone& zone) { return is_package(zone.domain); });
  if (packages) return;
  for (CounterZone& zone : zones) zone.domain.in_total = zone.domain.name == kPsys;
}

bool counts_something(const std::vector<CounterZone>& zones) {
  return std::ranges::any_of(zones, [](const CounterZone& zone) { return zone.domain.in_total; });
}

}  // namespace ampere
