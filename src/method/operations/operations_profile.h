// Everything that an estimate needs of a device: the map of its operations and the laws of time and
// energy. One profile answers for any program.
#pragma once

#include <vector>

#include "method/operations/operation_laws.h"
#include "method/operations/operation_map.h"

namespace ampere {

struct OperationsProfile {
  OperationMap map;
  OperationLaws laws;
};

// Throws as fit_operation_map and fit_operation_laws do.
OperationsProfile fit_operations_profile(const std::vector<TimedOperation>& timed,
                                         const std::vector<ProgramWindow>& windows,
                                         const OperationDevice& device,
                                         const MapFitOptions& options = {});

}  // namespace ampere
