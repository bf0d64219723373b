#include "measure/measure.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/steady_now.h"
#include "measure/power_trace.h"

namespace ampere {
namespace {

constexpr double kEnoughPeriods = 10;
constexpr double kAboutAPeriod = 1.05;  // a period of 100.3 ms is one of 0.1 s
constexpr Seconds kShortestInterval{0.001};
constexpr Seconds kLongest{86400 * 30.0};

void require(bool good, const std::string& what, Remedy remedy = Remedy::none) {
  if (!good) throw Error(ErrorCode::usage, what, remedy);
}

void check_idle(const MeasureOptions& options, const MeterInfo& info) {
  require(options.idle.count() == 0 || options.idle >= 2 * info.update_period,
          fmt::format("{} s without work are too short for {}, which moves every {:.3g} s",
                      options.idle.count(), info.name, info.update_period.count()),
          Remedy::idle);
}

std::string short_window(const MeterInfo& info, const Usage& usage) {
  const double periods = usage.time / info.update_period;
  return fmt::format("± {:.2g} %: {:.3g} s is {:.2g} periods of {}", *usage.uncertainty * 100,
                     usage.time.count(), periods, info.name);
}

bool meter_failed(const MeasuredRun& run) { return !run.usage && !run.too_short; }

MeasuredRun measure_run(const MeasureOptions& options, EnergyLog& log, PowerTrace& trace,
                        Signals& signals) {
  MeasuredRun run;
  auto window = log.open("run");
  const Seconds begin = steady_now();
  trace.begin_run(begin);
  run.begin = begin - trace.began();
  run.end = run_command(options.command, signals);
  window.close();
  const Seconds end = steady_now();
  trace.end_run(end);
  run.time = end - begin;
  try {
    run.usage = window.usage();
  } catch (const TooShort& error) {
    run.too_short = true;
    run.unknown = fmt::format(
        "{}; measure a command that takes longer, such as one that does the work many times",
        error.what());
  } catch (const Error& error) {
    run.unknown = error.what();
    run.known_part = window.known_part();
  }
  run.peak = trace.peak();
  if (run.peak && run.usage) run.peak = std::max(*run.peak, run.usage->mean_power());
  return run;
}

void add_warnings(CommandUsage& result, const MeasureOptions& options, const PowerTrace& trace) {
  const MeterInfo& info = result.meter;
  std::vector<std::string>& warnings = result.warnings;
  for (const MeasuredRun& run : result.runs)
    if (run.usage && run.usage->uncertainty &&
        run.usage->time < kEnoughPeriods * info.update_period)
      warnings.push_back(short_window(info, *run.usage));
  if (!options.trace.empty() && kAboutAPeriod * options.interval < info.update_period)
    warnings.push_back(
        fmt::format("the interval of {} s is shorter than the period of {}: the trace has a row "
                    "every {:.3g} s",
                    options.interval.count(), info.name, info.update_period.count()));
  for (const MeasuredRun& run : result.runs)
    if (run.usage && result.idle && net_of(*run.usage, *result.idle).total.value < 0) {
      warnings.push_back("a net energy is negative: the machine was busier while it should idle");
      break;
    }
  if (const std::string failure = trace.failure(); !failure.empty()) warnings.push_back(failure);
}

void add_state_warnings(const MeterState& state, std::vector<std::string>& warnings) {
  if (state.other_processes.value_or(0) > 0)
    warnings.push_back(fmt::format("{} other process{} on the device before the first run",
                                   *state.other_processes,
                                   *state.other_processes == 1 ? " was" : "es were"));
}

}  // namespace

void check_measure_options(const MeasureOptions& options) {
  require(!options.command.empty() && !options.command.front().empty(),
          "there is nothing to measure: no command is given", Remedy::command);
  require(options.repeat >= 1, fmt::format("{} is not a positive number of runs", options.repeat),
          Remedy::repeat);
  require(options.idle >= Seconds{0} && options.idle <= kLongest,
          fmt::format("{} is not a number of seconds to wait", options.idle.count()), Remedy::idle);
  require(options.interval >= kShortestInterval && options.interval <= kLongest,
          fmt::format("{} is not a number of seconds from {} on", options.interval.count(),
                      kShortestInterval.count()),
          Remedy::interval);
}

int CommandUsage::exit_status() const {
  if (stopped_by == SIGINT) return ampere::exit_status(ErrorCode::interrupted);
  if (runs.empty()) return 128 + stopped_by;
  if (runs.back().end.status != 0) return runs.back().end.status;
  return meter_failed(runs.back()) ? ampere::exit_status(ErrorCode::failed) : 0;
}

NetUsage net_of(const Usage& gross, const Usage& idle) {
  const double share = gross.time / idle.time;
  const auto net = [share](Joules used, Joules idled) {
    return used - Joules{share * idled.value};
  };
  NetUsage result{{}, net(gross.total, idle.total)};
  for (std::size_t i = 0; i < gross.energy.size(); ++i)
    result.energy.push_back(net(gross.energy[i], idle.energy[i]));
  return result;
}

CommandUsage measure_command(std::shared_ptr<Meter> meter, const MeasureOptions& options) {
  check_measure_options(options);
  CommandUsage result;
  result.meter = meter->info();
  check_idle(options, result.meter);
  add_state_warnings(meter->state(), result.warnings);
  PowerTrace trace(result.meter, options.interval, options.trace);
  EnergyLog log(meter,
                {options.interval, [&trace](const Reading& reading) { trace.add(reading); }});
  Signals signals(options.stop);
  if (options.idle.count() > 0) {
    auto window = log.open("idle");
    signals.sleep(options.idle);
    if (signals.stopped_by() == 0) result.idle = window.usage();
  }
  for (int i = 0; i < options.repeat && signals.stopped_by() == 0; ++i) {
    result.runs.push_back(measure_run(options, log, trace, signals));
    if (result.runs.back().end.status != 0 || meter_failed(result.runs.back())) break;
  }
  result.stopped_by = signals.stopped_by();
  add_warnings(result, options, trace);
  return result;
}

}  // namespace ampere
