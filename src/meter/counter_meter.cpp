#include "meter/counter_meter.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "ampere/error.h"
#include "meter/ticker.h"
#include "meter/update_period.h"

namespace ampere {
namespace {

// The counter's step may fall between two reads that are closer than its period: what it counted
// in a whole period is then seen after no time. Never less than a tick of the kernel.
constexpr Seconds kLeastPeriod{0.01};

// Looks before a zone at its most plausible power is full.
constexpr double kLooksPerRange = 4;
constexpr Seconds kFinestLook{0.001};

struct LiveZone {
  CounterZone zone;
  Seconds period{};
};

// The least time in which it can go around; absent when it does not wrap, or not knowably.
std::optional<Seconds> fill_time(const CounterZone& zone, Watts most_power) {
  if (!zone.range) return std::nullopt;
  return Seconds{static_cast<double>(*zone.range) * zone.joules_per_count / most_power.value};
}

// What one counter has counted since it was first read.
class Accumulator {
 public:
  Accumulator(LiveZone live, const CounterOptions& options)
      : zone_(std::move(live.zone)),
        slack_(std::max(live.period, kLeastPeriod)),
        most_power_(options.most_power),
        fill_time_(fill_time(zone_, options.most_power)),
        last_(zone_.read()),
        last_time_(options.now()),
        moved_(last_time_) {
    if (zone_.domain.in_total) longest_rest_ = options.longest_rest;
  }

  // Whatever the reason, a source that could be read before and cannot now is a failure.
  std::uint64_t count() const {
    try {
      return zone_.read();
    } catch (const Error& error) {
      fail("can no longer be read: {}", error.what());
    }
  }

  Joules add(std::uint64_t count, Seconds now) {
    const Seconds passed = now - last_time_;
    if (fill_time_ && passed >= *fill_time_)
      fail(
          "was not looked at for {:.3g} s (did the process or the machine stop?), in which it may "
          "have gone around unseen",
          passed.count());
    const std::uint64_t counted = count >= last_ ? count - last_ : count_around(count);
    const Joules energy{static_cast<double>(counted) * zone_.joules_per_count};
    if (energy > most_power_ * (passed + slack_))
      fail(
          "went from {} to {} in {:.3g} s, which would take more than {} W: it was reset or holds "
          "garbage",
          last_, count, passed.count(), most_power_.value);
    if (counted > 0) moved_ = now;
    if (longest_rest_ && now - moved_ > *longest_rest_)
      fail("stopped at {}: it has not moved for {:.3g} s", count, (now - moved_).count());
    last_ = count;
    last_time_ = now;
    energy_ = energy_ + energy;
    return energy_;
  }

 private:
  // From the last count up to the range, to 0, and on to this one.
  std::uint64_t count_around(std::uint64_t count) const {
    if (!zone_.range)
      fail("fell from {} to {}, and its range is unknown: a wrap and a reset look alike", last_,
           count);
    if (last_ > *zone_.range) fail("had counted to {}, past its range of {}", last_, *zone_.range);
    return *zone_.range - last_ + count + 1;
  }

  template <class... Values>
  [[noreturn]] void fail(fmt::format_string<Values...> text, Values&&... values) const {
    throw Error(ErrorCode::failed,
                fmt::format("the energy counter {} {}; open the meter again", zone_.domain.name,
                            fmt::format(text, std::forward<Values>(values)...)));
  }

  CounterZone zone_;
  Seconds slack_;
  Watts most_power_;
  std::optional<Seconds> fill_time_;
  std::optional<Seconds> longest_rest_;
  std::uint64_t last_;
  Seconds last_time_;
  Seconds moved_;
  Joules energy_{};
};

Seconds look_interval(const std::vector<LiveZone>& live, const CounterOptions& options) {
  Seconds interval = options.look_every;
  for (const LiveZone& each : live)
    if (const auto time = fill_time(each.zone, options.most_power))
      interval = std::min(interval, std::max(*time / kLooksPerRange, kFinestLook));
  return interval;
}

class CounterMeter final : public Meter {
 public:
  CounterMeter(MeterInfo info, std::vector<LiveZone> live, const CounterOptions& options)
      : info_(std::move(info)), now_(options.now), counts_(live.size()) {
    const Seconds interval = look_interval(live, options);
    for (LiveZone& each : live) {
      info_.domains.push_back(each.zone.domain);
      accumulators_.emplace_back(std::move(each), options);
    }
    last_ = {now_(), std::vector<Joules>(accumulators_.size())};
    if (interval.count() > 0) ticker_.emplace(interval, [this] { look(); });
  }

  const MeterInfo& info() const override { return info_; }

  Reading read() override {
    const std::scoped_lock lock(mutex_);
    // A failure stays: what was counted before it and after it cannot be joined.
    if (failure_) std::rethrow_exception(failure_);
    try {
      update();
    } catch (...) {
      failure_ = std::current_exception();
      throw;
    }
    return last_;
  }

 private:
  void update() {
    for (std::size_t i = 0; i < accumulators_.size(); ++i) counts_[i] = accumulators_[i].count();
    const Seconds now = now_();
    if (now < last_.time)
      throw Error(ErrorCode::failed, fmt::format("{}: the clock went back by {:.3g} s", info_.name,
                                                 (last_.time - now).count()));
    for (std::size_t i = 0; i < accumulators_.size(); ++i)
      last_.energy[i] = accumulators_[i].add(counts_[i], now);
    last_.time = now;
  }

  void look() {
    try {
      read();
    } catch (const std::exception&) {
      // Kept for the next reader.
    }
  }

  MeterInfo info_;
  std::function<Seconds()> now_;
  std::mutex mutex_;  // guards what follows
  std::vector<Accumulator> accumulators_;
  std::vector<std::uint64_t> counts_;  // of the read in progress
  Reading last_;
  std::exception_ptr failure_;
  std::optional<Ticker> ticker_;  // last: uses what is above
};

// As differences from the first, which a double holds exactly where the counts themselves may not
// fit.
std::optional<Seconds> find_period(const CounterZone& zone, Seconds patience) {
  const std::uint64_t first = zone.read();
  return find_update_period([&] { return static_cast<double>(zone.read() - first); }, patience);
}

}  // namespace

std::unique_ptr<Meter> make_counter_meter(MeterInfo info, std::vector<CounterZone> zones,
                                          const CounterOptions& options) {
  std::vector<LiveZone> live;
  std::string stuck;
  double largest_count_j = 0;
  for (CounterZone& zone : zones) {
    const auto period = find_period(zone, options.patience);
    if (!period) {
      const std::string text =
          fmt::format("the energy counter {} is stuck: it did not move on within {} s",
                      zone.domain.name, options.patience.count());
      info.caveats.push_back(text + ", so it is left out");
      stuck += (stuck.empty() ? "" : "; ") + text;
      continue;
    }
    info.update_period = std::max(info.update_period, *period);
    largest_count_j = std::max(largest_count_j, zone.joules_per_count);
    live.push_back({std::move(zone), *period});
  }
  if (std::ranges::none_of(live, [](const LiveZone& each) { return each.zone.domain.in_total; }))
    throw Error(ErrorCode::no_meter,
                fmt::format("{}: {}", info.name, stuck.empty() ? "there is no zone" : stuck));
  if (info.resolution.value == 0) info.resolution = Joules{largest_count_j};
  info.sensing = Sensing::counter;
  return std::make_unique<CounterMeter>(std::move(info), std::move(live), options);
}

}  // namespace ampere
