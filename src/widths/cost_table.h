// What a judge knows of each block of a network, found once.
#pragma once

#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "widths/width_blocks.h"

namespace ampere {

// Equal blocks have one cost: their pointers are equal too.
template <class Cost>
class CostTable {
 public:
  using CostOf = std::function<Cost(const SizedBlock&)>;

  CostTable(const Model& original, const Setup& setup) : blocks_(original, setup) {}

  // In the order of the network; valid until the next call.
  const std::vector<const Cost*>& at(std::span<const std::int64_t> widths, const CostOf& cost_of) {
    if (blocks_.size() > kMostBlocks) {
      blocks_.forget();
      costs_.clear();
    }
    found_.clear();
    const std::vector<int>& numbers = blocks_.at(widths);
    for (int number = static_cast<int>(costs_.size()); number < blocks_.size(); ++number)
      costs_.push_back(cost_of(blocks_.block(number)));
    for (const int number : numbers) found_.push_back(&costs_[static_cast<std::size_t>(number)]);
    return found_;
  }

  const BlockKind& kind(const SizedBlock& block) const { return blocks_.kind(block.kind); }

 private:
  WidthBlocks blocks_;
  std::deque<Cost> costs_;  // by number
  std::vector<const Cost*> found_;
};

}  // namespace ampere
