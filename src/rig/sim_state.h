// The state that the trainer, the meter and the clock of a simulated device share: virtual time,
// energy used, energy shown by the meter, and temperature.
#pragma once

#include <cstdint>
#include <optional>

#include "ampere/units.h"
#include "rig/sim_law.h"

namespace ampere {

class SimState {
 public:
  explicit SimState(const SimLaw& law) : law_(law), temperature_c_(law.thermal.start_c) {}

  // Begins a new measurement at a given temperature and with the steps of the meter at a given
  // phase (0 to 1), so that nothing depends on what was measured before. Time and energy continue.
  void restart(double phase, double start_c);

  void advance(double seconds, double watts);
  void train(double seconds, double watts);  // the same under load
  double resting_watts() const;              // when idle; clocks stay high for a while after load

  Seconds now() const;
  Joules metered() const;  // as the meter shows it
  double temperature_c() const { return temperature_c_; }
  double clock() const;  // as a share of the full clock

 private:
  void step_meter(std::int64_t before, std::int64_t after, double watts);

  const SimLaw& law_;
  // Differences between readings must be equal to the last bit whenever they are taken. So the time
  // and the energy before this measurement are kept in whole units that are powers of two, which
  // doubles add exactly, and everything else counts from its start.
  std::int64_t base_ticks_ = 0, ticks_ = 0;
  std::optional<std::int64_t> loaded_ticks_;  // when training last ended
  std::int64_t base_quanta_ = 0;
  double energy_j_ = 0, metered_j_ = 0;
  double phase_ = 0;
  double temperature_c_ = 0;
};

}  // namespace ampere
