#include "ampere/train.h"

namespace ampere {

Joules TrainingState::energy() const {
  Joules sum;
  for (const TrainingEpoch& epoch : epochs) sum = sum + epoch.energy + epoch.test_energy;
  return sum;
}

}  // namespace ampere
