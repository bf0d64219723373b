// The one state that a simulated device's trainer, meter and clock share: virtual time, the energy
// spent, what the meter shows of it, and the temperature.
#pragma once

#include <cstdint>
#include <optional>

#include "ampere/units.h"
#include "rig/sim_law.h"

namespace ampere {

class SimState {
 public:
  explicit SimState(const SimLaw& law) : law_(law), temperature_c_(law.thermal.start_c) {}

  // A new measurement begins: from a given temperature and with the meter's steps at a given phase
  // (0 to 1), so that nothing depends on what was measured before. Time and energy go on.
  void restart(double phase, double start_c);

  void advance(double seconds, double watts);
  void train(double seconds, double watts);  // the same, under load
  double resting_watts() const;              // of doing nothing: clocks stay up a while after load

  Seconds now() const;
  Joules metered() const;  // as the meter shows it
  double temperature_c() const { return temperature_c_; }
  double clock() const;  // share of the full one

 private:
  void step_meter(std::int64_t before, std::int64_t after, double watts);

  const SimLaw& law_;
  // Differences between readings must be the same to the last bit whenever they are taken. So what
  // happened before this measurement is kept in whole units that are powers of two, which doubles
  // add exactly, and everything else counts from its start.
  std::int64_t base_ticks_ = 0, ticks_ = 0;
  std::optional<std::int64_t> loaded_ticks_;  // when training last ended
  std::int64_t base_quanta_ = 0;
  double energy_j_ = 0, metered_j_ = 0;
  double phase_ = 0;
  double temperature_c_ = 0;
};

}  // namespace ampere
