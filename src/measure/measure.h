// The energy of a command, from its start to its end.
#pragma once

#include "ampere/energy_log.h"
#include "ampere/progress.h"
#include "measure/command.h"

namespace ampere {

struct MeasureOptions {
  std::vector<std::string> command;
  int repeat = 1;
  Seconds idle{};          // how long to measure the baseline before; 0: not at all
  Seconds interval{0.1};   // of the trace, and of the peak
  std::string trace = {};  // the file; empty: none
  StopToken stop = {};     // set by a signal that came before the command was started
};

// Throws Error(usage) for options that make no sense.
void check_measure_options(const MeasureOptions& options);

struct MeasuredRun {
  Seconds begin{};  // since the trace began
  Seconds time{};
  CommandEnd end;
  std::optional<Usage> usage;       // absent when it cannot be known
  std::string unknown;              // then, why
  bool too_short = false;           // then, for the meter: nothing failed
  std::optional<Usage> known_part;  // then, up to the meter's last reading
  std::optional<Watts> peak;        // absent when the run was shorter than a row of the trace
};

struct CommandUsage {
  MeterInfo meter;
  std::optional<Usage> idle;
  std::vector<MeasuredRun> runs;
  int stopped_by = 0;  // the signal that stopped it; 0: none
  std::vector<std::string> warnings;

  // 130 after Ctrl-C, else the last run's own, else 1 when the meter failed. A run that is too
  // short for its meter is no failure.
  int exit_status() const;
};

// The runs follow each other until one fails, the meter fails, or a signal asks to stop.
// Throws CannotRun, Error(usage) for options that make no sense with this meter, and what the meter
// throws before the first run.
CommandUsage measure_command(std::shared_ptr<Meter> meter, const MeasureOptions& options);

// What was used beyond idling: E − P·t. Negative where the machine was busier when it idled.
struct NetUsage {
  std::vector<Joules> energy;  // one per domain
  Joules total;
};
NetUsage net_of(const Usage& gross, const Usage& idle);

}  // namespace ampere
