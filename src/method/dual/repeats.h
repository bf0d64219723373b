// How far two runs of one network are apart, by the networks that a profile measured several times.
#pragma once

#include <optional>
#include <span>

#include "ampere/estimate.h"
#include "method/dual/time_law.h"

namespace ampere {

// Of measured networks, where equal numbers in `identity` are one network. Pooled over all that
// have repeats; few of them count as more scattered than they look, by Student's t. Absent where
// none has.
std::optional<RelativeErrors> scatter_of_repeats(std::span<const MeasuredNetwork> networks,
                                                 std::span<const std::size_t> identity);

}  // namespace ampere
