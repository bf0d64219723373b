// Whether a cost or a peak of memory is inside of a limit.
#pragma once

#include <cstdint>
#include <optional>

#include "ampere/decide.h"

namespace ampere {

Standing standing_of(const Interval& cost, double limit);

// A framework takes more than the tensors, by kMemoryMargin and kMemoryOfFramework.
Standing standing_of_memory(const std::optional<std::int64_t>& peak, std::int64_t memory);

}  // namespace ampere
