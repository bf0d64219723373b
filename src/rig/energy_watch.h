// How much energy a training has used, and whether there is enough for more.
#pragma once

#include <optional>

#include "ampere/meter.h"
#include "ampere/training.h"
#include "rig/clock.h"

namespace ampere {

// What may be used until the next look is reserved at the highest power there has been, and so is
// what the meter has not shown yet: what is not afforded would be, or might be, too much.
class EnergyWatch {
 public:
  // From now on. The task tells what was used before, and how much may be.
  EnergyWatch(Meter& meter, Clock& clock, const TrainingTask& task);

  void look();    // reads the meter
  void settle();  // reads it once it has shown everything that was done

  Joules used() const { return shown_ - begin_; }         // as far as the meter has shown it
  Joules in_all() const { return before_ + used(); }      // with what was used before
  std::optional<Joules> limit() const { return limit_; }  // in all

  // Whether there is energy for work that takes so long, and for ending afterwards. `caution`: how
  // many times as much it may take.
  bool affords(Seconds work, double caution) const;

 private:
  Watts highest_power() const;

  Meter& meter_;
  Clock& clock_;
  std::optional<Joules> limit_;
  Joules before_;
  Seconds lag_{}, settling_{}, window_{};
  Seconds began_{}, shown_at_{}, window_begin_{};
  Joules begin_, shown_, window_energy_;
  Watts peak_;  // of windows long enough to tell it
};

}  // namespace ampere
