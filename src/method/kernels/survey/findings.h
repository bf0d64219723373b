// What a survey found out about a device, as it is kept.
#pragma once

#include "base/json.h"
#include "method/kernels/survey.h"

namespace ampere {

Json test_json(const FusionTest& test);
void put_findings(Store& store, std::int64_t profile, const FusionFindings& findings);

// The rules under which a kernel of this type, alone, is cut into itself.
FusionRules rules_within(const std::string& type);

}  // namespace ampere
