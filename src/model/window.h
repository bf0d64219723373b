// The arithmetic of windows that slide over a line or an image.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ampere {

// One number per axis: as given, one number repeated, or `otherwise` when none is given.
// Throws Error(usage) when the count is wrong or a number is below `low` or absurdly large.
std::vector<std::int64_t> per_axis(const std::string& what, const std::vector<std::int64_t>& given,
                                   const std::vector<std::int64_t>& otherwise, std::int64_t low);

struct SlidingWindow {
  const std::vector<std::int64_t>& kernel;
  const std::vector<std::int64_t>& stride;
  const std::vector<std::int64_t>& padding;
  const std::vector<std::int64_t>& dilation;
};

// The number of window positions along each axis, rounding down (or up, as pooling may).
// Throws Error(usage) when the window does not fit into the padded input.
std::vector<std::int64_t> slide(const SlidingWindow& window,
                                const std::vector<std::int64_t>& extent, bool ceil);

// The extent that `slide` would have come from, with `more` positions along each axis: what a
// transposed convolution gives. Throws Error(usage) when nothing is left of it.
std::vector<std::int64_t> spread(const SlidingWindow& window, const std::vector<std::int64_t>& more,
                                 const std::vector<std::int64_t>& extent);

}  // namespace ampere
