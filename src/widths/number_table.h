// Numbers by short lists of integers that are equally long: open addressing, with the lists side by
// side, so that a look takes one or two places in memory.
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
