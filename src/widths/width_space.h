// Which widths of a network may vary, and how far.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ampere/model.h"

namespace ampere {

struct SpaceOptions {
  std::int64_t min_width = 1;  // channels
  double min_share = 0;        // of the original's
  // Widths are multiples of this, beside the original's own, where the original has two multiples
  // or more. What heads and groups require holds anyway.
  std::int64_t align = 1;
  std::vector<std::string> leave_alone = {};  // layers, or the names of widths: keep their channels
};

// One free width: least, least + step, …, and the original's, `most`.
struct WidthRange {
  std::string name;
  std::int64_t least = 1, most = 1, step = 1;

  std::int64_t choices() const;
  std::int64_t choice(std::int64_t index) const;  // ascending from least at 0
};

// Ranges are in the order of free_widths, those left alone among them with a single choice: a list
// of one choice each is what with_widths takes. What follows from a width (residual ties, depthwise
// layers, what is flattened) follows there.
struct WidthSpace {
  Model original;
  std::vector<WidthRange> widths;
};

// Throws Error(usage) for options out of range, for a name that is neither a layer nor a width
// (listing the widths), and when nothing is left to prune.
WidthSpace make_space(const Model& original, const SpaceOptions& options = {});
std::vector<std::int64_t> original_widths(const WidthSpace& space);

}  // namespace ampere
