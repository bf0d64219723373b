#include "meter/composite.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <mutex>
#include <thread>

#include "ampere/error.h"
#include "base/steady_now.h"
#include "meter/history.h"
#include "meter/ticker.h"

namespace ampere {
namespace {

// At opening, for every member to move.
constexpr Seconds kPatience{2};
constexpr double kPeriods = 20;

bool contains(const std::string& outer, const std::string& inner) {
  return inner.starts_with(outer + "/");
}

// A total is measured only when all of it is.
Source weakest(Source a, Source b) { return std::max(a, b); }

// In place: takes from the total what another domain of the total already counts.
void count_once(MeterInfo& info) {
  std::vector<MeterDomain>& domains = info.domains;
  const std::vector<MeterDomain> all = domains;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].in_total) continue;
    for (std::size_t j = 0; j < all.size(); ++j) {
      const bool same_before = j < i && all[j].place == all[i].place;
      if (!all[j].in_total || !(same_before || contains(all[j].place, all[i].place))) continue;
      domains[i].in_total = false;
      info.caveats.push_back(
          fmt::format("{} is part of {} and not added to it", all[i].name, all[j].name));
      break;
    }
  }
}

MeterInfo join(const std::vector<std::unique_ptr<Meter>>& members) {
  MeterInfo info;
  std::vector<std::string> names, methods;
  for (const auto& member : members) {
    const MeterInfo& part = member->info();
    names.push_back(part.name);
    methods.push_back(part.method);
    for (MeterDomain domain : part.domains) {
      domain.name = part.name + " " + domain.name;
      info.domains.push_back(std::move(domain));
    }
    for (const std::string& caveat : part.caveats)
      info.caveats.push_back(part.name + ": " + caveat);
    info.source = weakest(info.source, part.source);
    info.sensing = std::max(info.sensing, part.sensing);
    info.update_period = std::max(info.update_period, part.update_period);
    info.resolution = std::max(info.resolution, part.resolution);
  }
  info.name = fmt::format("{}", fmt::join(names, "+"));
  info.method = fmt::format("{}", fmt::join(methods, " + "));
  count_once(info);
  return info;
}

// The members' readings are of different moments (a counter's last step, now): each is read often
// enough that its energy at the earliest of them is known too.
class CompositeMeter final : public Meter {
 public:
  explicit CompositeMeter(std::vector<std::unique_ptr<Meter>> members)
      : members_(std::move(members)), info_(join(members_)), histories_(members_.size()) {
    // Until each has moved once past the opening, there is no common moment to read at.
    const Seconds opened = steady_now();
    const Seconds give_up = opened + std::max(kPatience, info_.update_period * kPeriods);
    while (read_members() < opened) {
      if (steady_now() > give_up) fail_standing(opened);
      std::this_thread::sleep_for(interval());
    }
    last_ = common();
    ticker_.emplace(interval(), [this] { look(); });
  }

  const MeterInfo& info() const override { return info_; }

  Reading read() override {
    const std::scoped_lock lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
    if (read_members() > last_.time) last_ = common();
    return last_;
  }

  void attend(bool on) override {
    for (const auto& member : members_) member->attend(on);
  }

  MeterState state() override {
    MeterState state;
    for (const auto& member : members_) {
      const MeterState part = member->state();
      if (!state.temperature_c) state.temperature_c = part.temperature_c;
      if (!state.clock_mhz) state.clock_mhz = part.clock_mhz;
      if (!state.throttle) state.throttle = part.throttle;
      if (!state.other_processes) state.other_processes = part.other_processes;
    }
    return state;
  }

 private:
  Seconds interval() const { return std::max(Seconds{0.005}, info_.update_period / 5); }

  [[noreturn]] void fail_standing(Seconds opened) const {
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (histories_[i].readings().back().time < opened)
        throw Error(ErrorCode::failed,
                    fmt::format("{}: nothing new since it was opened, so it cannot be joined",
                                members_[i]->info().name));
    throw Error(ErrorCode::failed, info_.name + ": nothing new since it was opened");
  }

  // The moment up to which all of them are known.
  Seconds read_members() {
    Seconds known = Seconds::max();
    for (std::size_t i = 0; i < members_.size(); ++i) {
      histories_[i].add(members_[i]->read());
      known = std::min(known, histories_[i].readings().back().time);
    }
    return known;
  }

  Reading common() {
    Seconds known = Seconds::max();
    for (const ReadingHistory& history : histories_)
      known = std::min(known, history.readings().back().time);
    Reading reading{known, {}};
    for (ReadingHistory& history : histories_) {
      // A member that has no reading as early as this was opened last, and counts from there.
      const Reading part = history.at(known).value_or(history.readings().front());
      reading.energy.insert(reading.energy.end(), part.energy.begin(), part.energy.end());
      history.forget_before(known);
    }
    return reading;
  }

  void look() {
    const std::scoped_lock lock(mutex_);
    try {
      if (failure_) return;
      const Seconds known = read_members();
      for (ReadingHistory& history : histories_) history.forget_before(known);
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  std::vector<std::unique_ptr<Meter>> members_;
  MeterInfo info_;
  std::mutex mutex_;  // guards what follows
  std::vector<ReadingHistory> histories_;
  Reading last_;
  std::exception_ptr failure_;
  std::optional<Ticker> ticker_;  // last: uses what is above
};

}  // namespace

std::unique_ptr<Meter> make_composite_meter(std::vector<std::unique_ptr<Meter>> members) {
  return std::make_unique<CompositeMeter>(std::move(members));
}

}  // namespace ampere
