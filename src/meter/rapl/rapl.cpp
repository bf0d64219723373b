#include "meter/rapl/rapl.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "ampere/error.h"
#include "base/text.h"
#include "meter/kinds.h"
#include "meter/rapl/rapl_remedies.h"
#include "meter/rapl/rapl_zones.h"

namespace ampere {
namespace {

// A window of 100 ms begins and ends up to a period of 1 ms late: beyond this they truly differ.
constexpr double kMostDisagreement = 0.05;
constexpr int kComparisons = 3;

// What most processors count in (1/2^14 J), for when the range that would tell is not there.
constexpr Joules kUsualResolution{6.1e-5};

// One of the two ways to the counters: its zones, or why there are none.
struct RaplWay {
  std::string name;
  std::optional<RaplZones> zones;
  std::optional<Error> error;
  bool stuck = false;  // there, but not counting
};

// Its text is the reason and the best remedy.
class Refused : public Error {
 public:
  Refused(ErrorCode code, std::string reason, std::vector<std::string> remedies)
      : Error(code, fmt::format("{}; {}", reason, remedies.front())),
        reason_(std::move(reason)),
        remedies_(std::move(remedies)) {}

  const std::string& reason() const { return reason_; }
  const std::vector<std::string>& remedies() const { return remedies_; }

 private:
  std::string reason_;
  std::vector<std::string> remedies_;
};

struct Choice {
  std::string way;
  RaplZones zones;
  std::string remark;  // how it stands to the other way
};

RaplWay try_way(const std::string& name, RaplZones (*find)(const RaplOptions&),
                const RaplOptions& options) {
  try {
    return {name, find(options), {}};
  } catch (const Error& error) {
    return {name, {}, error};
  }
}

// A meter of the packages alone, that reads when it is asked to; of psys where there are none.
std::unique_ptr<Meter> packages_of(const RaplWay& way, const RaplOptions& options) {
  std::vector<CounterZone> packages;
  for (const CounterZone& zone : way.zones->zones)
    if (zone.domain.in_total && !zone.domain.name.starts_with("dram")) packages.push_back(zone);
  CounterOptions counter = options.counter;
  counter.look_every = Seconds{0};
  MeterInfo info;
  info.name = "rapl:" + way.name;
  auto meter = make_counter_meter(info, packages, counter);
  if (meter->info().domains.size() < packages.size())
    throw Error(ErrorCode::no_meter,
                fmt::format("{}: {}", info.name, fmt::join(meter->info().caveats, "; ")));
  return meter;
}

Watts power_between(const Meter& meter, const Reading& first, const Reading& last) {
  const Joules energy = total(meter.info(), last) - total(meter.info(), first);
  return {energy.value / (last.time - first.time).count()};
}

// The relative difference of two meters over the same time; the least of a few, since a thread that
// is held up between two reads looks like a difference.
double disagreement(Meter& a, Meter& b, Seconds window) {
  double least = INFINITY;
  for (int i = 0; i < kComparisons && !(least <= kMostDisagreement); ++i) {
    const Reading a_first = a.read(), b_first = b.read();
    std::this_thread::sleep_for(window);
    const Reading a_last = a.read(), b_last = b.read();
    const double a_power = power_between(a, a_first, a_last).value;
    const double b_power = power_between(b, b_first, b_last).value;
    least = std::min(least, std::abs(a_power - b_power) / std::max(a_power, b_power));
  }
  return least;
}

// Takes the zones from a way whose packages do not count.
std::unique_ptr<Meter> keep_if_live(RaplWay& way, const RaplOptions& options) {
  try {
    if (way.zones) return packages_of(way, options);
  } catch (const Error& error) {
    way.zones.reset();
    way.error = error;
    way.stuck = error.code() == ErrorCode::no_meter;
  }
  return nullptr;
}

std::string compare(RaplWay& perf, RaplWay& powercap, const RaplOptions& options) {
  const bool both = perf.zones && powercap.zones;
  const auto a = keep_if_live(perf, options), b = keep_if_live(powercap, options);
  for (auto [way, other] : {std::pair(&perf, &powercap), std::pair(&powercap, &perf)}) {
    if (way->zones || !other->zones) continue;
    if (!both) return fmt::format("not compared with {}: {}", way->name, way->error->what());
    const std::string text = fmt::format("{} is not used: {}", way->name, way->error->what());
    other->zones->caveats.push_back(text);
    return text;
  }
  if (!a || !b) return "";
  const double difference = disagreement(*a, *b, options.compare_for);
  if (difference <= kMostDisagreement)
    return fmt::format("perf and powercap agree within {:.1f} %", 100 * difference);
  const std::string text =
      fmt::format("perf and powercap disagree by {:.0f} % about the packages", 100 * difference);
  perf.zones->caveats.push_back(text);
  powercap.zones->caveats.push_back(text);
  return text;
}

// The worst that can be helped: what is refused can be allowed, what is not there cannot.
ErrorCode code_of(const std::vector<RaplWay*>& ways) {
  for (const ErrorCode code : {ErrorCode::permission, ErrorCode::failed})
    for (const RaplWay* way : ways)
      if (way->error->code() == code) return code;
  return ErrorCode::no_meter;
}

RaplAdvice advise(ErrorCode code, const std::vector<RaplWay*>& ways, const RaplOptions& options) {
  if (code == ErrorCode::permission) return advise_permission(options.root);
  if (code == ErrorCode::failed || std::ranges::any_of(ways, &RaplWay::stuck))
    return {"", {"restart the machine, update its firmware and kernel, or use another meter"}};
  return advise_missing(options.root);
}

[[noreturn]] void refuse(const std::string& name, const std::vector<RaplWay*>& ways,
                         const RaplOptions& options) {
  const ErrorCode code = code_of(ways);
  RaplAdvice advice = advise(code, ways, options);
  std::vector<std::string> reasons;
  if (!advice.why.empty()) reasons.push_back(advice.why);
  for (const RaplWay* way : ways) reasons.push_back(way->error->what());
  throw Refused(code, fmt::format("{}: {}", name, fmt::join(reasons, "; ")),
                std::move(advice.remedies));
}

Choice choose(std::string_view asked, const RaplOptions& options) {
  static const std::vector<std::string> kWays{"perf", "powercap"};
  if (!asked.empty() && asked != kWays[0] && asked != kWays[1])
    throw Error(ErrorCode::usage, fmt::format("meter 'rapl:{}': '{}' is not a way to RAPL{} (there "
                                              "are: rapl, rapl:perf, rapl:powercap)",
                                              asked, asked, suggestion(asked, kWays)));
  RaplWay perf = try_way("perf", find_perf_zones, options);
  RaplWay powercap = try_way("powercap", find_powercap_zones, options);
  const std::string remark = compare(perf, powercap, options);
  std::vector<RaplWay*> ways;
  for (RaplWay* way : {&perf, &powercap})
    if (asked.empty() || asked == way->name) ways.push_back(way);
  for (RaplWay* way : ways) {
    if (!way->zones) continue;
    if (!way->zones->resolution && powercap.zones)
      way->zones->resolution = powercap.zones->resolution;
    return {way->name, std::move(*way->zones), remark};
  }
  refuse(asked.empty() ? "rapl" : fmt::format("rapl:{}", asked), ways, options);
}

std::unique_ptr<Meter> make_rapl_meter(std::string_view asked, Choice choice,
                                       const RaplOptions& options) {
  MeterInfo info;
  info.name = asked.empty() ? "rapl" : fmt::format("rapl:{}", asked);
  info.method = "energy counters";
  info.resolution = choice.zones.resolution.value_or(kUsualResolution);
  info.caveats = std::move(choice.zones.caveats);
  return make_counter_meter(std::move(info), std::move(choice.zones.zones), options.counter);
}

}  // namespace

std::unique_ptr<Meter> open_rapl_meter(std::string_view way, const RaplOptions& options) {
  return make_rapl_meter(way, choose(way, options), options);
}

std::vector<MeterProbe> probe_rapl(const RaplOptions& options) {
  MeterProbe probe{"rapl", false, "", {}};
  try {
    Choice choice = choose("", options);
    const std::string way = choice.way, remark = choice.remark;
    const auto meter = make_rapl_meter("", std::move(choice), options);
    std::vector<std::string> names;
    for (const MeterDomain& domain : meter->info().domains) names.push_back(domain.name);
    probe.reason = fmt::format("{} through {}{}{}", fmt::join(names, ", "), way,
                               remark.empty() ? "" : "; ", remark);
    probe.available = true;
  } catch (const Refused& refused) {
    probe.reason = refused.reason();
    probe.remedies = refused.remedies();
  } catch (const Error& error) {
    probe.reason = error.what();
    probe.remedies = {"try again"};
  }
  return {probe};
}

MeterKind rapl_meter_kind() {
  return {"rapl", [](std::string_view way) { return open_rapl_meter(way); },
          [] { return probe_rapl(); }};
}

}  // namespace ampere
