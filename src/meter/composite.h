// Several meters read as one.
#pragma once

#include "ampere/meter.h"

namespace ampere {

// Domains keep their names with the member's in front ("nvml:0 gpu0"). A domain of a member's total
// is in the whole's unless another one contains it or is at the same place: nothing counts twice,
// and what is left out is said in a caveat. At least two members.
std::unique_ptr<Meter> make_composite_meter(std::vector<std::unique_ptr<Meter>> members);

}  // namespace ampere
