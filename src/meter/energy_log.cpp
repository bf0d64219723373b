#include "ampere/energy_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <set>

#include "ampere/error.h"
#include "base/steady_now.h"
#include "meter/history.h"
#include "meter/ticker.h"
#include "meter/window_sums.h"

namespace ampere {
namespace {

// A meter that moves more often than this is read where a window begins and ends; a slower one is
// interpolated, which costs the window nothing.
constexpr Seconds kSlowPeriod{0.02};
constexpr double kReadingsPerPeriod = 5;

constexpr double kPatiencePeriods = 3;
constexpr Seconds kLeastPatience{0.5};

struct Moment {
  Seconds time{};
  std::optional<Reading> read;  // absent where the energy is to be interpolated
};

}  // namespace

// One window; guarded by the mutex of its state.
struct EnergyLog::Record {
  std::string path;
  Moment begin = {};
  std::optional<Moment> end = {};
  std::optional<std::vector<Joules>> energy = {};
  std::string unknown = {};  // why there will be none

  bool settled() const { return energy || !unknown.empty(); }
  Seconds time() const { return end->time - begin.time; }
};

class EnergyLog::State {
 public:
  State(std::shared_ptr<Meter> meter, LogOptions options)
      : meter_(std::move(meter)), info_(meter_->info()), options_(std::move(options)) {
    history_.add(meter_->read());
    if (options_.on_reading) options_.on_reading(history_.readings().back());
  }

  const MeterInfo& info() const { return info_; }

  // 0 when nothing needs to be read in the background.
  Seconds interval() const {
    if (is_slow()) return info_.update_period / kReadingsPerPeriod;
    return options_.on_reading ? options_.every : Seconds{0};
  }

  std::shared_ptr<Record> open(const std::string& path) {
    auto record = std::make_shared<Record>(path);
    {
      // Listed before it begins, so that no reading around its beginning is forgotten.
      const std::scoped_lock lock(mutex_);
      sums_.see(path);
      record->begin.time = steady_now();
      live_.insert(record);
    }
    if (is_slow()) return record;
    Moment begin = now();
    const std::scoped_lock lock(mutex_);
    record->begin = std::move(begin);
    return record;
  }

  void close(const std::shared_ptr<Record>& record) {
    Moment end = now();
    const std::scoped_lock lock(mutex_);
    if (record->end) return;
    record->end = std::move(end);
    if (is_slow()) return;  // the background thread settles it
    settle(*record);
    live_.erase(record);
  }

  Usage usage(const Record& record) {
    std::unique_lock lock(mutex_);
    wait(lock, [&record] { return record.settled(); });
    if (record.energy) return used_in_windows(info_, record.time(), *record.energy, 1);
    throw Error(ErrorCode::failed, record.unknown.empty() ? standing_still() : record.unknown);
  }

  std::optional<Usage> known_part(const Record& record) const {
    const std::scoped_lock lock(mutex_);
    const std::optional<Reading> begin = energy_at(record.begin);
    const Reading& last = history_.readings().back();
    if (!begin || last.time <= begin->time) return std::nullopt;
    try {
      return used(info_, *begin, last);
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  std::vector<PathUsage> results() {
    std::unique_lock lock(mutex_);
    wait(lock, [this] {
      return std::ranges::none_of(live_,
                                  [](const auto& record) { return record->end.has_value(); });
    });
    WindowSums sums = sums_;
    for (const auto& record : live_)
      if (record->end) sums.add_unknown(record->path, record->time(), standing_still());
    return sums.results(info_);
  }

  // What the background thread does.
  void look() {
    std::optional<Reading> reading = read();
    {
      const std::scoped_lock lock(mutex_);
      if (reading && !is_new(*reading)) return;
      if (reading) history_.add(*reading);
      settle();
    }
    settled_.notify_all();
    if (reading && options_.on_reading) options_.on_reading(*reading);
  }

 private:
  bool is_slow() const { return info_.update_period >= kSlowPeriod; }

  // Absent when the meter failed, now or before.
  std::optional<Reading> read() {
    {
      const std::scoped_lock lock(mutex_);
      if (!failure_.empty()) return std::nullopt;
    }
    try {
      return meter_->read();
    } catch (const std::exception& error) {
      const std::scoped_lock lock(mutex_);
      failure_ = error.what();
      return std::nullopt;
    }
  }

  Moment now() {
    const Seconds time = steady_now();
    if (is_slow()) return {time, std::nullopt};
    std::optional<Reading> reading = read();
    return {reading ? reading->time : time, std::move(reading)};
  }

  // A counter that has not moved says nothing of the time since it did.
  bool is_new(const Reading& reading) const {
    const Reading& last = history_.readings().back();
    if (info_.sensing != Sensing::counter || !is_slow()) return reading.time > last.time;
    return reading.time > last.time && reading.energy != last.energy;
  }

  // Guarded: closes the books on windows whose end the meter has passed, and forgets the readings
  // that no other needs.
  void settle() {
    std::erase_if(live_, [this](const auto& record) {
      if (record->end) settle(*record);
      return record->settled();
    });
    Seconds oldest = history_.readings().back().time;
    for (const auto& record : live_) oldest = std::min(oldest, record->begin.time);
    if (failure_.empty()) history_.forget_before(oldest);
  }

  void settle(Record& record) {
    const auto begin = energy_at(record.begin), end = energy_at(*record.end);
    if (begin && end) {
      record.energy.emplace();
      for (std::size_t i = 0; i < begin->energy.size(); ++i)
        record.energy->push_back(end->energy[i] - begin->energy[i]);
      sums_.add(record.path, record.time(), *record.energy);
    } else if (!failure_.empty()) {
      record.unknown = failure_;
      sums_.add_unknown(record.path, record.time(), failure_);
    }
  }

  std::optional<Reading> energy_at(const Moment& moment) const {
    return moment.read ? moment.read : is_slow() ? history_.at(moment.time) : std::nullopt;
  }

  template <class Done>
  void wait(std::unique_lock<std::mutex>& lock, Done done) {
    settled_.wait_for(lock, patience(), done);
  }

  Seconds patience() const {
    return std::max(kLeastPatience, kPatiencePeriods * info_.update_period);
  }

  std::string standing_still() const {
    return fmt::format("{}: the energy counter is stuck: it did not move in {:.3g} s", info_.name,
                       patience().count());
  }

  const std::shared_ptr<Meter> meter_;
  const MeterInfo info_;
  const LogOptions options_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable settled_;
  ReadingHistory history_;                  // never empty
  std::set<std::shared_ptr<Record>> live_;  // open, or not passed by the meter
  WindowSums sums_;
  std::string failure_;  // of the meter: from then on nothing is known
};

struct EnergyLog::Thread {
  Ticker ticker;
};

namespace {

void require_name(const std::string& name) {
  if (name.empty() || name.find('/') != std::string::npos)
    throw Error(ErrorCode::usage,
                fmt::format("'{}' cannot be the name of a window: it is a part of a path", name));
}

}  // namespace

EnergyLog::EnergyLog(std::shared_ptr<Meter> meter, const LogOptions& options)
    : state_(std::make_shared<State>(std::move(meter), options)) {
  if (const Seconds interval = state_->interval(); interval.count() > 0)
    thread_.reset(new Thread{Ticker(interval, [state = state_.get()] { state->look(); })});
}

EnergyLog::~EnergyLog() = default;

const MeterInfo& EnergyLog::info() const { return state_->info(); }

EnergyLog::Window EnergyLog::open(const std::string& name) {
  require_name(name);
  return {state_, name};
}

std::vector<PathUsage> EnergyLog::results() { return state_->results(); }

EnergyLog::Window::Window(std::shared_ptr<State> state, const std::string& path)
    : state_(std::move(state)), record_(state_->open(path)) {}

EnergyLog::Window& EnergyLog::Window::operator=(Window&& other) noexcept {
  if (this == &other) return *this;
  close();
  state_ = std::move(other.state_);
  record_ = std::move(other.record_);
  return *this;
}

EnergyLog::Window EnergyLog::Window::open(const std::string& name) const {
  require_name(name);
  return {state_, record_->path + "/" + name};
}

void EnergyLog::Window::close() noexcept {
  if (state_) state_->close(record_);
}

Usage EnergyLog::Window::usage() {
  close();
  return state_->usage(*record_);
}

std::optional<Usage> EnergyLog::Window::known_part() const { return state_->known_part(*record_); }

}  // namespace ampere
