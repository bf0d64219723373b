#include "meter/counter_meter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "ampere/error.h"
#include "meter/update_period.h"

namespace ampere {
namespace {

// What one counter has counted since it was first read.
class Accumulator {
 public:
  Accumulator(CounterZone zone, Seconds now)
      : zone_(std::move(zone)), last_(zone_.read()), last_time_(now) {}

  Joules update(Seconds now, Watts most_power) {
    const std::uint64_t count = zone_.read();
    energy_ = energy_ +
              Joules{static_cast<double>(counted(count, now, most_power)) * zone_.joules_per_count};
    last_ = count;
    last_time_ = now;
    return energy_;
  }

 private:
  std::uint64_t counted(std::uint64_t count, Seconds now, Watts most_power) const {
    if (count >= last_) return count - last_;
    if (!zone_.range)
      fail("fell from {} to {}, and its range is unknown: a wrap and a reset look alike", last_,
           count);
    if (last_ > *zone_.range) fail("had counted to {}, past its range of {}", last_, *zone_.range);
    const std::uint64_t wrapped = *zone_.range - last_ + count;
    const Joules energy{static_cast<double>(wrapped) * zone_.joules_per_count};
    // Time is at least that of a tick: a counter may wrap between two quick reads.
    if (energy > most_power * std::max(now - last_time_, Seconds{0.01}))
      fail("fell from {} to {} in {:.3g} s, which no wrap explains: it was reset", last_, count,
           (now - last_time_).count());
    return wrapped;
  }

  template <class... Values>
  [[noreturn]] void fail(fmt::format_string<Values...> text, Values&&... values) const {
    throw Error(ErrorCode::failed,
                fmt::format("the energy counter {} {}; open the meter again", zone_.domain.name,
                            fmt::format(text, std::forward<Values>(values)...)));
  }

  CounterZone zone_;
  std::uint64_t last_;
  Seconds last_time_;
  Joules energy_{};
};

class CounterMeter final : public Meter {
 public:
  CounterMeter(MeterInfo info, std::vector<CounterZone> zones, const CounterOptions& options)
      : info_(std::move(info)), options_(options) {
    last_.time = options_.now();
    for (CounterZone& zone : zones) {
      info_.domains.push_back(zone.domain);
      accumulators_.emplace_back(std::move(zone), last_.time);
    }
    last_.energy.resize(accumulators_.size());
    if (options_.look_every.count() > 0) ticker_.emplace(options_.look_every, [this] { look(); });
  }

  const MeterInfo& info() const override { return info_; }

  Reading read() override {
    const std::scoped_lock lock(mutex_);
    update();
    return last_;
  }

 private:
  // A failure stays: what was counted before it and after it cannot be joined.
  void update() {
    if (failure_) std::rethrow_exception(failure_);
    try {
      const Seconds now = options_.now();
      if (now < last_.time)
        throw Error(ErrorCode::failed, fmt::format("{}: the clock went back by {:.3g} s",
                                                   info_.name, (last_.time - now).count()));
      for (std::size_t i = 0; i < accumulators_.size(); ++i)
        last_.energy[i] = accumulators_[i].update(now, options_.most_power);
      last_.time = now;
    } catch (...) {
      failure_ = std::current_exception();
      throw;
    }
  }

  void look() {
    try {
      read();
    } catch (const std::exception&) {
      // Kept for the next reader.
    }
  }

  MeterInfo info_;
  CounterOptions options_;
  std::mutex mutex_;  // guards what follows
  std::vector<Accumulator> accumulators_;
  Reading last_;
  std::exception_ptr failure_;
  std::optional<Ticker> ticker_;  // last: uses what is above
};

}  // namespace

std::unique_ptr<Meter> make_counter_meter(MeterInfo info, std::vector<CounterZone> zones,
                                          const CounterOptions& options) {
  std::vector<CounterZone> moving;
  std::string stuck;
  for (CounterZone& zone : zones) {
    const auto period =
        find_update_period([&zone] { return static_cast<double>(zone.read()); }, options.patience);
    if (!period) {
      const std::string text =
          fmt::format("the energy counter {} is stuck: it did not move in {} s", zone.domain.name,
                      options.patience.count());
      info.caveats.push_back(text + ", so it is left out");
      stuck += (stuck.empty() ? "" : "; ") + text;
      continue;
    }
    info.update_period = std::max(info.update_period, *period);
    info.resolution = std::max(info.resolution, Joules{zone.joules_per_count});
    moving.push_back(std::move(zone));
  }
  if (std::ranges::none_of(moving, [](const CounterZone& zone) { return zone.domain.in_total; }))
    throw Error(ErrorCode::no_meter,
                fmt::format("{}: {}", info.name, stuck.empty() ? "there is no zone" : stuck));
  info.sensing = Sensing::counter;
  return std::make_unique<CounterMeter>(std::move(info), std::move(moving), options);
}

}  // namespace ampere
