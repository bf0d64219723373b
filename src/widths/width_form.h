// How the features of a block and its work follow from the widths of a network.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ampere {

// A feature of a block: a constant and a sum of multiples of widths.
struct WidthForm {
  std::int64_t constant = 0;
  std::vector<std::pair<int, std::int64_t>> multiples;  // width, factor

  std::int64_t operator()(std::span<const std::int64_t> widths) const {
    std::int64_t value = constant;
    for (const auto& [width, factor] : multiples)
      value += factor * widths[static_cast<std::size_t>(width)];
    return value;
  }
};

struct BlockWork {
  double flops = 0, bytes = 0;  // of a training step
  friend bool operator==(const BlockWork&, const BlockWork&) = default;
};
BlockWork operator-(const BlockWork& a, const BlockWork& b);

// The work of a block as a polynomial of the second degree in u, its features over what they are
// multiples of, in Newton's form:
//   f(u) = f(1) + Σ Δi (ui − 1) + Σ_{i<j} Δij (ui − 1)(uj − 1) + Σ Δii (ui − 1)(ui − 2)/2
struct WorkForm {
  std::vector<std::int64_t> multiple_of;  // one per feature
  BlockWork base;                         // f(1)
  std::vector<BlockWork> first;           // Δi, one per feature
  std::vector<BlockWork> second;          // Δij, one per pair of features i ≤ j, row by row

  BlockWork operator()(std::span<const std::int64_t> features) const;
};

}  // namespace ampere
