// A meter over a trace of power that something else writes: it is read in the background and
// integrated as it comes.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "ampere/meter.h"
#include "meter/trace/pulse_pattern.h"
#include "meter/trace/trace_columns.h"
#include "meter/trace/trace_input.h"

namespace ampere {

enum class TraceClock {
  unix_time,  // seconds since 1970
  monotonic,  // that of our readings
  start,      // the first sample of what is live is of now; of a file, the last one it has
  replay,     // the first sample is of now, and the others follow as they did
};

struct TraceOptions {
  TraceFormat format = {};
  TraceClock clock = TraceClock::start;
  Seconds offset{0};                // added to their clock
  Seconds wait{2};                  // for the trace to pass the moment of a read
  std::optional<Seconds> gap = {};  // longest time between samples; else five of them, at least 1 s
  bool align_pulses = false;        // find the clock by a pattern of load
  bool loop = false;                // replays start again
  PulseEmitter emit = [] { return emit_cpu_pulses(); };
  std::function<Seconds()> unix_now;  // absent: the system's clock
};

// `subject` is what complaints call the trace. Fills in what the trace tells: domains, source,
// period. Throws Error(no_meter) when nothing comes or what comes is not of now, Error(usage) when
// it cannot be understood. The meter throws Error(failed) when the trace ended, broke, has a gap or
// did not pass the moment of a read in time.
std::unique_ptr<Meter> open_trace_meter(MeterInfo info, const std::string& subject,
                                        std::unique_ptr<TraceInput> input,
                                        const TraceOptions& options);

}  // namespace ampere
