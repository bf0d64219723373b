// Measured windows.
#pragma once

#include <optional>

#include "rig/measuring.h"
#include "rig/meter_step.h"
#include "rig/progress_log.h"

namespace ampere {

// Consecutive windows of one network. A device with a queue never runs out of work from the first
// window to the last: each window begins where the previous one ended.
class WindowSeries {
 public:
  // To be made directly after the warm-up. Windows are as long as the precision says. With a meter
  // that moves in steps they last whole periods and go from one step to another.
  WindowSeries(const Bench& bench, const WarmUp& warm, const Precision& precision);

  // The number of iterations, rounded to the nearest whole one, with the time and the energy of
  // that many. `rejected` says why the window should not count. Throws Error(failed) when the meter
  // does not move.
  Window next();

 private:
  // A moment at which the energy is known, and the iterations that had finished by then.
  struct Boundary {
    Mark at;
    bool idle = false;  // the device was idle while the meter was read
    double iterations = 0;
    std::optional<Seconds> cpu, steal;
    Seconds suspended{};

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
  std::int64_t submitted_ = 1;  // iterations, including the last one of the warm-up
  Seconds period_, length_;
  bool waits_for_steps_, works_ahead_;
  int chunk_;
  std::optional<Boundary> last_;
  MeterState state_;  // of the device at that boundary
};

// A window without iterations, after the meter has caught up with the idle device.
Window take_idle_window(Meter& meter, Clock& clock, Seconds length);

}  // namespace ampere
