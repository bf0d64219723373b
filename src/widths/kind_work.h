// How much a block of one kind computes and moves at any features, without building it.
#pragma once

#include <optional>

#include "ampere/block.h"
#include "ampere/train.h"
#include "widths/width_form.h"

namespace ampere {

// Both are polynomials of the second degree in the features, because every number that is counted
// is a product of at most two channel counts. Over small whole numbers the form is exact. Absent
// where it does not give what is counted: such a kind has to be built.
std::optional<WorkForm> find_work_form(const BlockKind& kind, const Setup& setup);

}  // namespace ampere
