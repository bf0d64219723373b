#include "meter/quality.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "ampere/error.h"
#include "base/stats.h"
#include "base/steady_now.h"

namespace ampere {
namespace {

constexpr Seconds kShortestStretch{0.1};
constexpr std::size_t kFewest = 5;  // stretches that say something about their spread

}  // namespace

MeterQuality examine_meter(Meter& meter, Seconds duration) {
  const MeterInfo& info = meter.info();
  const Seconds stretch = std::max(kShortestStretch, info.update_period);
  const Seconds end = steady_now() + std::max(duration, 2 * stretch);
  const Reading first = meter.read();
  Reading last = first;
  std::vector<double> watts;
  while (steady_now() < end) {
    std::this_thread::sleep_for(stretch);
    const Reading now = meter.read();
    if (now.time <= last.time) continue;
    watts.push_back((total(info, now) - total(info, last)).value / (now.time - last.time).count());
    last = now;
  }
  const Joules used = total(info, last) - total(info, first);
  if (used.value <= 0)
    throw Error(ErrorCode::failed, fmt::format("{} counted nothing in {:.1f} s: it is stuck",
                                               info.name, std::max(duration, stretch).count()));
  MeterQuality quality{Watts{used.value / (last.time - first.time).count()}, {}, stretch};
  if (watts.size() >= kFewest) quality.noise = Watts{standard_deviation(watts).value()};
  return quality;
}

}  // namespace ampere
