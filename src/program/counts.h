// The two counts of one operation. Both throw Error(usage) when the arguments are not what an
// operation of this name has.
#pragma once

#include "program/operation_view.h"

namespace ampere {

double flops_of(const OperationView& operation);
double bytes_moved_by(const OperationView& operation);

}  // namespace ampere
