#include "meter/rapl/rapl_remedies.h"

#include <fmt/format.h>

#include "meter/machine.h"

namespace ampere {
namespace {

using sysfs::Path;

constexpr const char* kCapability =
    "let the programs count perf events: sudo setcap cap_perfmon=ep \"$(command -v ampere)\" "
    "cap_perfmon=ep \"$(command -v ampere-runner)\"";
constexpr const char* kParanoid =
    "or let every program, until the next boot: sudo sysctl kernel.perf_event_paranoid=0";
constexpr const char* kContainerCapability =
    "start the container with --cap-add PERFMON, so that perf events can be counted";
constexpr const char* kGroup =
    "let a group read the powercap counters, until the next boot (docs/meters/rapl.md makes it "
    "last): sudo groupadd -f rapl && sudo usermod -aG rapl \"$USER\" && sudo chgrp rapl "
    "/sys/class/powercap/intel-rapl*:*/energy_uj && sudo chmod g+r "
    "/sys/class/powercap/intel-rapl*:*/energy_uj, then log in again";
constexpr const char* kRoot = "as the last resort, run ampere as root";
constexpr const char* kOther =
    "use another meter: one plugged in between (trace, stream), or the meter 'modelled'";

}  // namespace

RaplAdvice advise_permission(const Path& root) {
  RaplAdvice advice;
  if (!sysfs::list(root / "sys/bus/event_source/devices/power").empty()) {
    const auto paranoid = sysfs::try_integer(root / "proc/sys/kernel/perf_event_paranoid");
    if (paranoid) advice.why = fmt::format("kernel.perf_event_paranoid is {}", *paranoid);
    if (is_container(root)) advice.remedies.push_back(kContainerCapability);
    advice.remedies.push_back(kCapability);
    advice.remedies.push_back(kParanoid);
  }
  if (!sysfs::list(root / "sys/class/powercap", "intel-rapl").empty())
    advice.remedies.push_back(kGroup);
  advice.remedies.push_back(kRoot);
  return advice;
}

RaplAdvice advise_missing(const Path& root) {
  if (is_virtual_machine(root))
    return {"this is a virtual machine, and those are not given the processor's energy counters",
            {"measure on the host or on a machine of its own", kOther}};
  if (machine_vendor(root) == Vendor::other)
    return {"this processor is neither Intel's nor AMD's, and others have no RAPL", {kOther}};
  if (is_container(root))
    return {"this is a container, and those usually hide the processor's energy counters",
            {kContainerCapability,
             "or give it the powercap tree: -v /sys/class/powercap:/sys/class/powercap:ro "
             "--security-opt systempaths=unconfined",
             kOther}};
  return {
      "the kernel shows no energy counters: its modules are not loaded, or the processor is "
      "older than Sandy Bridge or Zen",
      {"load them: sudo modprobe -a rapl intel_rapl_msr (for AMD too)", kOther}};
}

}  // namespace ampere
