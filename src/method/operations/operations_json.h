// The parts of a profile as JSON. Reading throws Error(usage) that names the field.
#pragma once

#include "base/json.h"
#include "method/operations/operation_laws.h"
#include "method/operations/operation_map.h"

namespace ampere {

Json operation_map_json(const OperationMap& map);
OperationMap read_operation_map(const JsonField& json);

// The model of one part alone, so that an estimate may read only those of its program.
Json part_model_json(const PartModel& model);
PartModel read_part_model(const JsonField& json);

Json operation_laws_json(const OperationLaws& laws);
OperationLaws read_operation_laws(const JsonField& json);

}  // namespace ampere
