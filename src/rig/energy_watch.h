// How much energy a training has used, and whether the rest is enough to continue.
#pragma once

#include <optional>

#include "ampere/meter.h"
#include "ampere/train.h"
#include "rig/clock.h"

namespace ampere {

// What is known before anything is measured.
struct EnergyLimit {
  std::optional<Joules> most;  // absent: no limit
  Joules before;               // used before, within the limit
  Watts highest_power;         // seen before
};
EnergyLimit energy_limit(const TrainingTask& task);

// Keeps a training within its energy. Energy that may be used until the next reading, and energy
// that the meter has not shown yet, is reserved at the highest power seen so far.
class EnergyWatch {
 public:
  // Counts from now on.
  EnergyWatch(Meter& meter, Clock& clock, const EnergyLimit& limit);

  void look();    // reads the meter
  void settle();  // waits until the meter has shown all work, and reads it

  Joules used() const { return shown_ - begin_; }         // as far as the meter has shown it
  Joules in_all() const { return before_ + used(); }      // including what was used before
  std::optional<Joules> limit() const { return limit_; }  // for in_all()

  // Whether there is enough energy for work of this duration and for the end of the training after
  // it, if they take `reserve` times as much as expected.
  bool affords(Seconds work, double reserve) const;
  // What would then have been used in all.
  Joules in_all_after(Seconds work, double reserve) const;

  Watts highest_power() const;

 private:
  Meter& meter_;
  Clock& clock_;
  std::optional<Joules> limit_;
  Joules before_;
  Seconds lag_{}, settling_{}, window_{};
  Seconds began_{}, shown_at_{}, window_begin_{};
  Joules begin_, shown_, window_energy_;
  Watts peak_;  // over windows long enough to measure it
};

}  // namespace ampere
