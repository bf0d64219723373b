// Windows under the meter.
#pragma once

#include <optional>

#include "rig/measuring.h"
#include "rig/meter_step.h"
#include "rig/progress_log.h"

namespace ampere {

// Windows of one network in a row. A device that works ahead is never without work from the first
// to the last: each window begins where the one before it ended.
class WindowSeries {
 public:
  // Right after the warm-up. As long as the precision says, and of a meter that moves in steps of
  // whole periods, from one step to another.
  WindowSeries(const Bench& bench, const WarmUp& warm, const Precision& precision);

  // Whole iterations: as many as there were to the nearest one, with the time and the energy of so
  // many. Says in `rejected` why the window should not count. Throws Error(failed) when the meter
  // stands still.
  Window next();

 private:
  // A moment at which the energy is known, and the iterations that had ended by then.
  struct Boundary {
    Mark at;
    bool idle = false;  // the device did nothing while the meter was read
    double iterations = 0;
    std::optional<Seconds> cpu, steal;

    Seconds time() const;
    Seconds pause() const { return idle ? at.after - at.before : Seconds{0}; }
  };

  bool idle() const { return submitted_ == log_.iterations(); }
  void run_chunk();
  void run_until(Seconds time);
  Mark find_mark();
  Boundary boundary();
  Window between(const Boundary& begin, const Boundary& end) const;

  Bench bench_;
  ProgressLog log_;
  std::int64_t submitted_ = 1;  // the last one of the warm-up
  Seconds period_, length_;
  bool waits_for_steps_, works_ahead_;
  int chunk_;
  std::optional<Boundary> last_;
  MeterState state_;  // of the device, then
};

// A window without any iterations, once the meter has caught up with the device at rest.
Window take_idle_window(Meter& meter, Clock& clock, Seconds length);

}  // namespace ampere
