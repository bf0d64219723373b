// Widths in units of what each has to be a multiple of.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ampere/widths.h"

namespace ampere {

// For every free width what `choose` makes of its units, and one unit at least.
template <class Choose>
std::vector<std::int64_t> widths_by_units(const Model& original, const Choose& choose,
                                          OutputChannels output = OutputChannels::fixed) {
  std::vector<std::int64_t> widths;
  for (const ChannelGroup& width : free_widths(original, output)) {
    const std::int64_t units = std::max<std::int64_t>(1, width.value / width.multiple_of);
    widths.push_back(width.multiple_of * std::max<std::int64_t>(1, choose(units)));
  }
  return widths;
}

}  // namespace ampere
