#include "rig/real_clock.h"

#include <unistd.h>

#include <array>
#include <fstream>
#include <thread>

#include "base/family.h"
#include "base/steady_now.h"

namespace ampere {
namespace {

class RealClock final : public Clock {
 public:
  explicit RealClock(std::string proc) : stat_(std::move(proc) + "/stat") {}

  Seconds now() override { return steady_now(); }

  void sleep(Seconds duration) override { std::this_thread::sleep_for(duration); }

  Seconds suspended() override { return time_slept(); }

  std::optional<Seconds> cpu_time() override { return family_cpu_time(); }

  std::optional<Seconds> busy_time() override {
    const auto ticks = read_ticks();
    if (!ticks) return std::nullopt;
    const auto& [user, nice, system, idle, iowait, irq, softirq, steal] = *ticks;
    return seconds(user + nice + system + irq + softirq);
  }

  std::optional<Seconds> steal_time() override {
    const auto ticks = read_ticks();
    if (!ticks) return std::nullopt;
    return seconds(ticks->back());
  }

 private:
  using Ticks = std::array<double, 8>;

  // "cpu  user nice system idle iowait irq softirq steal …", over all processors.
  std::optional<Ticks> read_ticks() const {
    std::ifstream stat(stat_);
    std::string word;
    Ticks ticks{};
    if (!(stat >> word) || word != "cpu") return std::nullopt;
    for (double& value : ticks)
      if (!(stat >> value)) return std::nullopt;
    return ticks;
  }

  static Seconds seconds(double ticks) {
    return Seconds{ticks / static_cast<double>(sysconf(_SC_CLK_TCK))};
  }

  std::string stat_;
};

}  // namespace

std::unique_ptr<Clock> make_real_clock(std::string proc) {
  return std::make_unique<RealClock>(std::move(proc));
}

}  // namespace ampere
