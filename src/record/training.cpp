#include <fmt/format.h>

#include "ampere/error.h"
#include "ampere/rig.h"

namespace ampere {

Joules TrainingState::energy() const {
  Joules sum;
  for (const TrainingEpoch& epoch : epochs) sum = sum + epoch.energy + epoch.test_energy;
  return sum;
}

Trainer::ScriptJob Trainer::prepare_script(const ScriptRequest& request) {
  throw Error(ErrorCode::usage,
              fmt::format("{}: this trainer runs no scripts", request.script.path));
}

std::unique_ptr<TrainJob> Trainer::prepare_operation(const OperationRequest& request) {
  throw Error(ErrorCode::usage,
              fmt::format("{}: this trainer repeats no operations", request.operation.name));
}

}  // namespace ampere
