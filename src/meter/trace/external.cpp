// Meters outside the machine, which write what they measured: `trace:` a file, `stream:` a pipe, a
// device or a command; and `replay:` for what was recorded before.
#include <fmt/format.h>

#include "ampere/error.h"
#include "meter/kinds.h"
#include "meter/meter_settings.h"
#include "meter/trace/trace_meter.h"

namespace ampere {
namespace {

using Keys = std::vector<std::string>;

const Keys kReplayKeys = {"channel", "gap", "loop", "negative", "time", "value", "volts"};
const Keys kLiveKeys = {"align",  "channel", "clock", "gap",   "negative",
                        "offset", "time",    "value", "volts", "wait"};

double time_scale(const std::string& unit) {
  return unit == "s" ? 1 : unit == "ms" ? 1e-3 : unit == "us" ? 1e-6 : 1e-9;
}

TraceOptions parse_options(const MeterSettings& settings) {
  TraceOptions options;
  options.format.volts = settings.not_negative("volts");
  options.format.channel = settings.text("channel").value_or("");
  options.format.value_unit = settings.choice("value", {"W", "mW", "A", "mA", "uA"}).value_or("");
  if (const auto unit = settings.choice("time", {"s", "ms", "us", "ns"}))
    options.format.time_scale = time_scale(*unit);
  options.format.negative_is_zero = settings.choice("negative", {"zero"}).has_value();
  if (const auto gap = settings.not_negative("gap")) options.gap = Seconds{*gap};
  if (const auto wait = settings.not_negative("wait")) options.wait = Seconds{*wait};
  options.offset = Seconds{settings.number("offset").value_or(0)};
  options.align_pulses = settings.choice("align", {"pulses"}).has_value();
  options.loop = settings.choice("loop", {"yes", "no"}) == "yes";
  if (settings.subject().empty())
    throw Error(ErrorCode::usage,
                fmt::format("meter '{}': what it is to read is missing", settings.spec()));
  return options;
}

TraceClock parse_clock(const MeterSettings& settings, const char* otherwise) {
  const std::string name =
      settings.choice("clock", {"unix", "start", "monotonic"}).value_or(otherwise);
  return name == "unix"    ? TraceClock::unix_time
         : name == "start" ? TraceClock::start
                           : TraceClock::monotonic;
}

void add_clock_caveat(MeterInfo& info, const TraceOptions& options) {
  if (options.align_pulses) return;  // says so itself
  if (options.clock == TraceClock::unix_time)
    info.caveats.push_back(
        "its clock is taken to be this machine's clock of day; how the two differ and drift is not "
        "corrected");
  if (options.clock == TraceClock::start)
    info.caveats.push_back(
        "its clock was set when its first sample came, late by the delay of the meter and its "
        "tool; "
        "drift from then on is not corrected");
}

// A meter whose samples come while we measure: `input` opens where they come from.
template <class OpenInput>
std::unique_ptr<Meter> open_live(const char* kind, const char* clock, std::string_view argument,
                                 OpenInput input) {
  const MeterSettings settings(kind, argument, kLiveKeys);
  TraceOptions options = parse_options(settings);
  options.clock = parse_clock(settings, clock);
  MeterInfo info;
  info.name = settings.spec();
  info.method = fmt::format("integrated power of an external meter's {}", kind);
  add_clock_caveat(info, options);
  return open_trace_meter(std::move(info), settings.subject(), input(settings.subject()), options);
}

std::unique_ptr<Meter> open_trace(std::string_view argument) {
  return open_live("trace", "unix", argument, open_growing_file);
}

std::unique_ptr<Meter> open_stream_meter(std::string_view argument) {
  return open_live("stream", "start", argument, open_stream);
}

std::unique_ptr<Meter> open_replay(std::string_view argument) {
  const MeterSettings settings("replay", argument, kReplayKeys);
  TraceOptions options = parse_options(settings);
  options.clock = TraceClock::replay;
  MeterInfo info;
  info.name = settings.spec();
  info.method = "replayed: integrated power of a recorded trace";
  info.caveats = {"a recording: it knows nothing of what runs now"};
  return open_trace_meter(std::move(info), settings.subject(),
                          open_finished_file(settings.subject()), options);
}

MeterProbe probe_of(const char* spec, const char* reason, const char* remedy) {
  return {spec, false, reason, {remedy}};
}

}  // namespace

MeterKind trace_meter_kind() {
  return {"trace", open_trace, [] {
            return std::vector{probe_of("trace", "reads the file that an external meter writes",
                                        "name the file: the meter is called trace:FILE")};
          }};
}

MeterKind stream_meter_kind() {
  return {"stream", open_stream_meter, [] {
            return std::vector{probe_of("stream",
                                        "reads the pipe, device or command of an external meter",
                                        "name it: the meter is called stream:COMMAND")};
          }};
}

MeterKind replay_meter_kind() {
  return {"replay", open_replay, [] {
            return std::vector{probe_of("replay", "plays a recorded trace",
                                        "name the recording: the meter is called replay:FILE")};
          }};
}

}  // namespace ampere
