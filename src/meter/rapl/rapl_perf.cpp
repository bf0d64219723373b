// The perf events power/energy-*/: 64-bit counts that the kernel keeps from wrapping, one for each
// package of the PMU's cpumask.
#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>

#include "ampere/error.h"
#include "base/text.h"
#include "meter/rapl/rapl_zones.h"

namespace ampere {
namespace {

using sysfs::Path;

struct EventKind {
  const char* name;
  RaplPart part;
};
constexpr EventKind kEvents[] = {{"energy-pkg", RaplPart::package},
                                 {"energy-cores", RaplPart::core},
                                 {"energy-gpu", RaplPart::uncore},
                                 {"energy-ram", RaplPart::dram},
                                 {"energy-psys", RaplPart::psys}};

constexpr int kMostCpus = 1 << 20;

struct EventCode {
  std::uint32_t type = 0;
  std::uint64_t config = 0;
  double joules_per_count = 0;
};

[[noreturn]] void refuse(const Path& file, const std::string& text, const char* expected) {
  throw Error(ErrorCode::failed, fmt::format("{}: '{}' is not {}", file.string(), text, expected));
}

// "event=0x02".
std::uint64_t read_config(const Path& file) {
  const std::string text = sysfs::read_text(file);
  constexpr std::string_view kPrefix = "event=0x";
  std::uint64_t config = 0;
  if (!text.starts_with(kPrefix)) refuse(file, text, "the code of an event");
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data() + kPrefix.size(), end, config, 16);
  if (parsed.ec != std::errc{} || parsed.ptr != end) refuse(file, text, "the code of an event");
  return config;
}

double read_scale(const Path& event) {
  const Path unit_file = event.string() + ".unit", scale_file = event.string() + ".scale";
  if (const std::string unit = sysfs::read_text(unit_file); unit != "Joules")
    refuse(unit_file, unit, "Joules, the only unit understood");
  const std::string text = sysfs::read_text(scale_file);
  double scale = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, scale);
  if (parsed.ec != std::errc{} || parsed.ptr != end || !std::isfinite(scale) || scale <= 0)
    refuse(scale_file, text, "joules for each count");
  return scale;
}

// "0,28" or "0-3": the CPUs that answer for a package each.
std::vector<int> read_cpus(const Path& file) {
  const std::string text = sysfs::read_text(file);
  std::vector<int> cpus;
  try {
    for (const std::string& part : split(text, ',')) {
      const std::size_t dash = part.find('-');
      const std::int64_t first = parse_integer(part.substr(0, dash), "cpu");
      const std::int64_t last =
          dash == std::string::npos ? first : parse_integer(part.substr(dash + 1), "cpu");
      if (first < 0 || last < first || last >= kMostCpus) refuse(file, text, "a list of CPUs");
      for (std::int64_t cpu = first; cpu <= last; ++cpu) cpus.push_back(static_cast<int>(cpu));
    }
  } catch (const Error&) {
    refuse(file, text, "a list of CPUs");
  }
  return cpus;
}

struct Reader {
  int cpu = 0;
  RaplSocket socket;
};

// Where the kernel does not say which package a CPU is in, they are numbered in order. Dies are
// named only where a package has several, and none is taken twice.
std::vector<Reader> find_readers(const Path& root, const std::vector<int>& cpus) {
  std::map<int, std::map<int, int>> packages;  // package, die, CPU
  int position = 0;
  for (const int cpu : cpus) {
    const Path topology = root / fmt::format("sys/devices/system/cpu/cpu{}/topology", cpu);
    const auto package = sysfs::try_integer(topology / "physical_package_id");
    const auto die = sysfs::try_integer(topology / "die_id");
    packages[static_cast<int>(package.value_or(position++))].emplace(
        static_cast<int>(die.value_or(0)), cpu);
  }
  std::vector<Reader> readers;
  for (const auto& [package, dies] : packages)
    for (const auto& [die, cpu] : dies)
      readers.push_back({cpu, {package, dies.size() > 1 ? std::optional(die) : std::nullopt}});
  return readers;
}

class PerfCounter {
 public:
  PerfCounter(const PerfCalls& calls, const EventCode& code, int cpu, std::string name)
      : calls_(calls), name_(std::move(name)), fd_(calls_.open(code.type, code.config, cpu)) {
    if (fd_ < 0) fail_to_open(-fd_);
  }
  ~PerfCounter() { calls_.close(fd_); }
  PerfCounter(const PerfCounter&) = delete;
  PerfCounter& operator=(const PerfCounter&) = delete;

  std::uint64_t read() const {
    std::uint64_t count = 0;
    const std::int64_t size = calls_.read(fd_, count);
    if (size == sizeof count) return count;
    throw Error(
        ErrorCode::failed,
        size < 0
            ? fmt::format("{}: {} (errno {})", name_, std::strerror(static_cast<int>(-size)), -size)
            : fmt::format("{}: the kernel counts it no more (its CPU went offline?)", name_));
  }

 private:
  [[noreturn]] void fail_to_open(int error) const {
    const ErrorCode code =
        error == EACCES || error == EPERM ? ErrorCode::permission
        : error == ENOENT || error == EOPNOTSUPP || error == ENODEV || error == ENOSYS
            ? ErrorCode::no_meter
            : ErrorCode::failed;
    throw Error(code, fmt::format("perf_event_open of {}: {} (errno {})", name_,
                                  std::strerror(error), error));
  }

  PerfCalls calls_;
  std::string name_;
  int fd_;
};

class Search {
 public:
  explicit Search(const RaplOptions& options)
      : options_(options),
        pmu_(options.root / "sys/bus/event_source/devices/power"),
        type_(static_cast<std::uint32_t>(sysfs::read_count(pmu_ / "type"))),
        readers_(find_readers(options.root, read_cpus(pmu_ / "cpumask"))) {}

  // psys is one for the whole machine, whichever CPU it is asked on.
  void visit(const EventKind& kind) {
    const Path event = pmu_ / "events" / kind.name;
    if (!sysfs::try_text(event)) return;
    try {
      const EventCode code{type_, read_config(event), read_scale(event)};
      const std::size_t count = kind.part == RaplPart::psys ? 1 : readers_.size();
      for (std::size_t i = 0; i < count; ++i) add(kind, code, readers_[i]);
    } catch (const Error& error) {
      if (kind.part == RaplPart::package) throw;
      if (!first_error_) first_error_ = error;
      found_.caveats.push_back(fmt::format("left out: {}", error.what()));
    }
  }

  // Throws when nothing of it counts: why the first event could not be used, where one could not.
  RaplZones take() {
    settle_total(found_.zones);
    if (counts_something(found_.zones)) return std::move(found_);
    if (first_error_) throw Error(*first_error_);
    throw Error(ErrorCode::no_meter,
                fmt::format("{}: no energy event is there", (pmu_ / "events").string()));
  }

 private:
  void add(const EventKind& kind, const EventCode& code, const Reader& reader) {
    auto counter = std::make_shared<const PerfCounter>(
        options_.perf, code, reader.cpu, fmt::format("power/{}/ on cpu {}", kind.name, reader.cpu));
    found_.zones.push_back({rapl_domain(kind.part, reader.socket, options_.root),
                            [counter] { return counter->read(); }, code.joules_per_count,
                            std::nullopt});
  }

  const RaplOptions& options_;
  Path pmu_;
  std::uint32_t type_;
  std::vector<Reader> readers_;
  RaplZones found_;
  std::optional<Error> first_error_;
};

}  // namespace

RaplZones find_perf_zones(const RaplOptions& options) {
  Search search(options);
  for (const EventKind& kind : kEvents) search.visit(kind);
  return search.take();
}

}  // namespace ampere
