// Everything that an estimate needs of a device: the map of its operations and the laws of time and
// energy. One profile answers for any program.
#pragma once

#include <string>
#include <string_view>
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

// As JSON, with long lists packed. The model of each part is a value of its own. The answers of a
// profile that was read are those of the one that was written. Parsing throws Error(usage) that
// names the origin and the field.
std::string to_json(const OperationsProfile& profile);
OperationsProfile parse_operations_profile(std::string_view text, const std::string& origin);

}  // namespace ampere
