#include "external_meters.h"

#include <fstream>
#include <optional>

#include "base/steady_now.h"
#include "meter/battery/battery.h"
#include "meter/ticker.h"
#include "sysfs_tree.h"

namespace ampere::testing_support {

namespace {

// Its power changes every few milliseconds.
class FakeBattery {
 public:
  FakeBattery() {
    tree_.write("BAT0/type", "Battery\n");
    tree_.write("BAT0/status", "Discharging\n");
    tree_.write("BAT0/power_now", power_uw_);
    writer_.emplace(Seconds{0.003}, [this] { tree_.write("BAT0/power_now", ++power_uw_); });
  }

  BatteryOptions options() const {
    BatteryOptions options;
    options.root = tree_.root();
    options.sample_every = Seconds{0.002};
    return options;
  }

 private:
  SysfsTree tree_;
  long long power_uw_ = 9'000'000;
  std::optional<Ticker> writer_;  // last: uses what is above
};

}  // namespace

std::unique_ptr<Meter> open_fake_battery() {
  static const FakeBattery battery;
  return open_battery_meter("", battery.options());
}

std::unique_ptr<Meter> open_fake_trace() {
  static const SysfsTree tree;
  static std::ofstream file(tree.root() / "trace.csv");
  static const Ticker writer(Seconds{0.002}, [] {
    file.precision(15);
    file << steady_now().count() << " 7\n" << std::flush;
  });
  return open_meter("trace:" + (tree.root() / "trace.csv").string() + ",clock=monotonic");
}

std::unique_ptr<Meter> open_fake_stream() {
  return open_meter("stream:sh -c 'while :; do date +%s.%N,7; sleep 0.002; done',clock=unix");
}

std::unique_ptr<Meter> open_fake_replay() {
  static const SysfsTree tree;
  tree.write("trace.csv", "time_s,power_w,cpu_w\n0,5,1\n0.01,6,2\n0.02,7,3\n");
  return open_meter("replay:" + (tree.root() / "trace.csv").string() + ",loop=yes");
}

}  // namespace ampere::testing_support
