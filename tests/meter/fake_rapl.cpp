#include "fake_rapl.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

#include "base/steady_now.h"

namespace ampere::testing_support {
namespace {

const std::string kPmu = "sys/bus/event_source/devices/power";
constexpr double kJoulesPerCount = 2.3283064365386962890625e-10;

// As the kernel numbers them.
const std::map<std::string, std::pair<std::uint64_t, std::string>> kEvents{
    {"energy-cores", {1, "core"}}, {"energy-pkg", {2, "package"}}, {"energy-ram", {3, "dram"}},
    {"energy-gpu", {4, "uncore"}}, {"energy-psys", {5, "psys"}},
};

std::string zone_file(const std::string& entry, const char* file) {
  return "sys/class/powercap/" + entry + "/" + file;
}

}  // namespace

void FakeRapl::add_zone(const std::string& entry, const std::string& name, std::uint64_t start_uj) {
  tree.write(zone_file(entry, "name"), name + "\n");
  tree.write(zone_file(entry, "max_energy_range_uj"), std::to_string(kRangeUj) + "\n");
  tree.write(zone_file(entry, "enabled"), "0\n");
  write_energy(entry, std::to_string(start_uj) + "\n");
}

void FakeRapl::add_desktop() {
  tree.write("proc/cpuinfo", "processor : 0\nvendor_id : GenuineIntel\nflags : fpu vme msr\n");
  tree.write(zone_file("intel-rapl", "enabled"), "1\n");
  add_zone("intel-rapl:0", "package-0", 1000000);
  add_zone("intel-rapl:0:0", "core");
  add_zone("intel-rapl:0:1", "uncore");
  add_zone("intel-rapl:1", "psys");
  add_zone("intel-rapl-mmio:0", "package-0", 777);
}

void FakeRapl::add_server() {
  tree.write("proc/cpuinfo", "processor : 0\nvendor_id : GenuineIntel\nflags : fpu vme msr\n");
  for (const std::string package : {"0", "1"}) {
    add_zone("intel-rapl:" + package, "package-" + package);
    add_zone("intel-rapl:" + package + ":0", "dram");
  }
}

void FakeRapl::add_pmu(const std::string& cpumask, const std::set<std::string>& events) {
  tree.write(kPmu + "/type", "21\n");
  tree.write(kPmu + "/cpumask", cpumask + "\n");
  for (const std::string& name : events) {
    const std::string event = kPmu + "/events/" + name;
    tree.write(event, "event=0x0" + std::to_string(kEvents.at(name).first) + "\n");
    tree.write(event + ".unit", "Joules\n");
    tree.write(event + ".scale", "2.3283064365386962890625e-10\n");
  }
}

void FakeRapl::write_energy(const std::string& entry, const std::string& text) {
  tree.write(zone_file(entry, "energy_uj"), text);
}

RaplOptions FakeRapl::options() {
  RaplOptions options;
  options.root = tree.root();
  options.read_count = [this](const sysfs::Path& file) { return read_energy(file); };
  options.perf.open = [this](std::uint32_t type, std::uint64_t config, int) {
    EXPECT_EQ(type, 21u);
    if (perf_open_error != 0) return -perf_open_error.load();
    ++open_events;
    const std::scoped_lock lock(mutex_);
    events_[++next_fd_] = config;
    return next_fd_;
  };
  options.perf.read = [this](int fd, std::uint64_t& count) { return read_event(fd, count); };
  options.perf.close = [this](int fd) {
    const std::scoped_lock lock(mutex_);
    open_events -= static_cast<int>(events_.erase(fd));
  };
  options.counter.patience = Seconds{0.05};
  options.compare_for = Seconds{0.001};
  if (clock_ == Clock::by_hand) {
    options.counter.look_every = Seconds{0};
    options.counter.now = [this] { return now(); };
  }
  return options;
}

Seconds FakeRapl::now() const {
  return clock_ == Clock::real ? steady_now() - begin_ : Seconds{time_s.load()};
}

void FakeRapl::pass_time() { time_s = time_s + 0.001; }

double FakeRapl::counted_s() const { return std::min(now().count(), halted_at_s.load()); }

double FakeRapl::watts_of(const std::string& name) const {
  return watts.at(name.substr(0, name.find('-')));
}

// What the file says is where the counter started.
std::uint64_t FakeRapl::read_energy(const sysfs::Path& file) {
  const std::uint64_t start_uj = sysfs::read_count(file);
  pass_time();
  if (stuck_entries.contains(file.parent_path().filename())) return start_uj;
  const double passed_uj =
      1e6 * counted_s() * watts_of(sysfs::read_text(file.parent_path() / "name"));
  return (start_uj + static_cast<std::uint64_t>(passed_uj)) % (kRangeUj + 1);
}

std::int64_t FakeRapl::read_event(int fd, std::uint64_t& count) {
  if (perf_offline) return 0;
  pass_time();
  std::uint64_t config = 0;
  {
    const std::scoped_lock lock(mutex_);
    if (!events_.contains(fd)) return -EBADF;
    config = events_.at(fd);
  }
  count = 0;
  if (perf_stuck) return sizeof count;
  for (const auto& [event, code] : kEvents)
    if (code.first == config)
      count = static_cast<std::uint64_t>(perf_scale * counted_s() * watts_of(code.second) /
                                         kJoulesPerCount);
  return sizeof count;
}

}  // namespace ampere::testing_support
