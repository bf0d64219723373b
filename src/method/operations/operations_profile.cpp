#include "method/operations/operations_profile.h"

namespace ampere {

OperationsProfile fit_operations_profile(const std::vector<TimedOperation>& timed,
                                         const std::vector<ProgramWindow>& windows,
                                         const OperationDevice& device,
                                         const MapFitOptions& options) {
  const FittedMap fitted = fit_operation_map(timed, device, options);
  return {fitted.map, fit_operation_laws(windows, timed, fitted)};
}

}  // namespace ampere
