// What a network at given widths is worth, before it is trained.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ampere/widths.h"

namespace ampere {

// What a network at given widths is worth: a sum over its widths of values that do not fall as a
// width grows, 0 for the original.
//
// The value of a width is the logarithm (to the base 2) of the share of it that is kept, by count
// or by importance. The sum is then the logarithm of the share of paths from input to output that
// remain, each weighed by the product of its channels' importances. One layer cut to a fiftieth
// costs as much as six halved, however complete the others are; and each further channel is worth
// less than the one before, as search from either end needs it.
struct WidthWorth {
  std::vector<std::vector<double>> values;  // [width][channels kept]; -infinity for none

  double operator()(std::span<const std::int64_t> widths) const;
};
WidthWorth worth_of_counts(const WidthSpace& space);
// One list of importances for each width in the order of the space, one for each channel of the
// original; the largest are those that stay. A list of zeros counts channels, an empty one does
// too. Throws Error(usage) for other lengths and for importances that are negative or not finite.
WidthWorth worth_of_importances(const WidthSpace& space,
                                const std::vector<std::vector<double>>& importances);
// The same from scores by set of channels, as l1_scores (inherit.h) gives them. Of a width that
// several sets follow, the hidden units of a transformer beside its tokens, the mean over them.
WidthWorth worth_of_scores(const WidthSpace& space, const std::vector<std::vector<double>>& scores);

}  // namespace ampere
