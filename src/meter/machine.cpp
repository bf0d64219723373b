#include "meter/machine.h"

#include <algorithm>
#include <fstream>

#include "base/text.h"

namespace ampere {
namespace {

// Of the first processor that has such a line: "flags : fpu vme …" gives "fpu vme …".
std::string cpuinfo(const sysfs::Path& root, const std::string& key) {
  std::ifstream file(root / "proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos && trim(line.substr(0, colon)) == key)
      return std::string(trim(std::string_view(line).substr(colon + 1)));
  }
  return "";
}

}  // namespace

Vendor machine_vendor(const sysfs::Path& root) {
  const std::string vendor = cpuinfo(root, "vendor_id");
  if (vendor == "GenuineIntel") return Vendor::intel;
  if (vendor == "AuthenticAMD" || vendor == "HygonGenuine") return Vendor::amd;
  return Vendor::other;
}

bool is_virtual_machine(const sysfs::Path& root) {
  return std::ranges::count(split(cpuinfo(root, "flags"), ' '), "hypervisor") > 0;
}

bool is_container(const sysfs::Path& root) {
  std::error_code none;
  if (std::filesystem::exists(root / ".dockerenv", none) ||
      std::filesystem::exists(root / "run/.containerenv", none))
    return true;
  std::ifstream file(root / "proc/1/cgroup");
  for (std::string line; std::getline(file, line);)
    for (const char* runtime : {"docker", "kubepods", "containerd", "lxc", "libpod"})
      if (line.find(runtime) != std::string::npos) return true;
  return false;
}

}  // namespace ampere
