// A machine with RAPL, as far as the meter can see: trees of files, and counters that follow from
// the time and a power for each kind of zone.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "base/steady_now.h"
#include "meter/rapl/rapl.h"
#include "sysfs_tree.h"

namespace ampere::testing_support {

class FakeRapl {
 public:
  enum class Clock { by_hand, real };
  explicit FakeRapl(Clock clock = Clock::by_hand) : clock_(clock) {}

  // "intel-rapl:0:1", "dram"; the counter stands at `start_uj`.
  void add_zone(const std::string& entry, const std::string& name, std::uint64_t start_uj = 0);
  void add_desktop();  // package, core, uncore, psys, and the package again through mmio
  void add_server();   // two packages, each with dram
  void add_pmu(const std::string& cpumask, const std::set<std::string>& events);
  void write_energy(const std::string& entry, const std::string& text);

  RaplOptions options();
  Seconds now() const;

  SysfsTree tree;
  // By a zone's name without its number: "package", "dram", … Of every door to it.
  std::map<std::string, double> watts{
      {"package", 50}, {"core", 30}, {"uncore", 5}, {"dram", 8}, {"psys", 90}};
  double perf_scale = 1;                // of what perf counts, to disagree
  std::set<std::string> stuck_entries;  // powercap's that do not move
  std::atomic<bool> perf_stuck{false};
  std::atomic<int> perf_open_error{0};
  std::atomic<bool> perf_offline{false};
  std::atomic<int> open_events{0};
  // By hand: moved on by every read of a counter, and by tests.
  std::atomic<double> time_s{0};
  std::atomic<double> halted_at_s{1e300};  // from then on nothing counts

  static constexpr std::uint64_t kRangeUj = 262143328850;

 private:
  std::uint64_t read_energy(const sysfs::Path& file);
  std::int64_t read_event(int fd, std::uint64_t& count);
  double watts_of(const std::string& name) const;
  void pass_time();
  double counted_s() const;

  Clock clock_;
  Seconds begin_ = steady_now();
  std::mutex mutex_;  // guards what follows
  std::map<int, std::uint64_t> events_;
  int next_fd_ = 1000;
};

}  // namespace ampere::testing_support
