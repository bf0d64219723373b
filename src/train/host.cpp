#include "train/host.h"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/utsname.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <thread>

#include "ampere/error.h"
#include "base/text.h"

namespace ampere {
namespace {

// The value after "<key> :" in a file of such lines, as /proc writes them.
std::optional<std::string> proc_value(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos && trim(std::string_view(line).substr(0, colon)) == key)
      return std::string(trim(std::string_view(line).substr(colon + 1)));
  }
  return std::nullopt;
}

std::optional<std::int64_t> leading_number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  return value;
}

std::optional<std::int64_t> meminfo_bytes(const std::string& key) {
  const auto text = proc_value("/proc/meminfo", key);
  const auto kibibytes = text ? leading_number(*text) : std::nullopt;
  if (!kibibytes) return std::nullopt;
  return *kibibytes * 1024;
}

std::string whole_file(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  std::string result = text.str();
  std::erase(result, '\0');  // as device trees end their strings
  return std::string(trim(result));
}

// Room under a control group's limit; none when there is no limit ("max", or a v1 number beyond
// any memory).
std::optional<std::int64_t> room(const std::string& limit_path, const std::string& used_path) {
  const auto limit = leading_number(whole_file(limit_path));
  const auto used = leading_number(whole_file(used_path));
  if (!limit || !used) return std::nullopt;
  return std::max<std::int64_t>(0, *limit - *used);
}

// ARM kernels name no processor; boards name themselves in the device tree.
std::string processor_name() {
  if (const auto name = proc_value("/proc/cpuinfo", "model name")) return *name;
  const std::string board = whole_file("/proc/device-tree/model");
  return board.empty() ? "unknown processor" : board;
}

}  // namespace

void keep_freed_memory() {
  constexpr int kGrowBy = 64 << 20;
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
  mallopt(M_TOP_PAD, kGrowBy);
}

void return_freed_memory() { malloc_trim(0); }

void require_memory(const std::string& who, double bytes) {
  constexpr double kUsable = 0.9;  // of what is available: workspaces need the rest
  const auto usable = [] { return kUsable * static_cast<double>(available_memory()); };
  if (bytes <= usable()) return;
  return_freed_memory();
  if (bytes > usable())
    throw Error(ErrorCode::failed, fmt::format("{} about {}, and {} can be used", who,
                                               gibibytes(bytes), gibibytes(usable())));
}

std::string gibibytes(double bytes) {
  const double value = bytes / (1024.0 * 1024 * 1024);
  return value < 10 ? fmt::format("{:.1f} GiB", value) : fmt::format("{:.0f} GiB", value);
}

HostInfo host_info() {
  utsname names{};
  const bool known = uname(&names) == 0;
  const auto memory = meminfo_bytes("MemTotal");
  return {processor_name(),
          fmt::format("{}, {} logical cores, {}", known ? names.machine : "unknown architecture",
                      std::thread::hardware_concurrency(),
                      memory ? gibibytes(static_cast<double>(*memory)) : "unknown memory"),
          known ? fmt::format("{} {}", names.sysname, names.release) : "unknown system"};
}

std::int64_t available_memory() {
  std::int64_t bytes =
      meminfo_bytes("MemAvailable").value_or(std::numeric_limits<std::int64_t>::max());
  const std::string group = "/sys/fs/cgroup/";
  if (const auto v2 = room(group + "memory.max", group + "memory.current"))
    bytes = std::min(bytes, *v2);
  if (const auto v1 =
          room(group + "memory/memory.limit_in_bytes", group + "memory/memory.usage_in_bytes"))
    bytes = std::min(bytes, *v1);
  return bytes;
}

}  // namespace ampere
