#include "meter/update_period.h"

#include <thread>
#include <vector>

#include "base/stats.h"
#include "base/steady_now.h"

namespace ampere {
namespace {

constexpr int kChanges = 5;
constexpr int kFewestChanges = 2;  // one interval
constexpr double kMorePatience = 4;
// A thread that was held up all that time has seen nothing.
constexpr int kFewestLooks = 20;

}  // namespace

std::optional<Seconds> find_update_period(const std::function<double()>& value, Seconds patience,
                                          Seconds poll) {
  const Seconds begin = steady_now();
  std::vector<double> intervals;
  int looks = 0, changes = 0;
  double last = value();
  Seconds last_change{};
  while (changes < kChanges) {
    std::this_thread::sleep_for(poll);
    const double now_value = value();
    const Seconds now = steady_now();
    ++looks;
    if (now_value != last) {
      if (changes++ > 0) intervals.push_back((now - last_change).count());
      last_change = now;
      last = now_value;
    }
    if (now - begin <= patience || looks < kFewestLooks) continue;
    if (changes >= kFewestChanges) break;
    if (changes == 0 || now - begin > patience * kMorePatience) return std::nullopt;
  }
  return looks == changes ? Seconds{0} : Seconds{median(intervals)};
}

}  // namespace ampere
