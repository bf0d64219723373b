// Tables of measured energies, as the predictors read them.
#pragma once

#include "ampere/kernels.h"

namespace ampere {

// How the energy of a row was found: by its own label, or the environment. Throws Error(usage) when
// neither says: nobody would know whether it was measured.
Source source_of(const EnergyTable& table, const TableRow& row);

}  // namespace ampere
