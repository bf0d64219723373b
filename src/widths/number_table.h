// A table that finds a number by a short list of integers, such as the widths of a block. All lists
// are equally long and lie side by side in memory, so that finding one is fast (open addressing).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ampere {

class NumberTable {
 public:
  using Key = std::span<const std::int64_t>;

  std::optional<int> find(Key key) const;
  // The key must not be there yet, and as long as the others. Numbers are not negative.
  void add(Key key, int number);
  void clear();

 private:
  std::size_t place_of(Key key) const;  // of the key, or the free one where it would be
  void grow();

  std::size_t length_ = 0, used_ = 0;
  std::vector<int> numbers_;        // −1: free; a power of two of them
  std::vector<std::int64_t> keys_;  // length_ per place
};

}  // namespace ampere
