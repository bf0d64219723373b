// A table that finds a number by a short list of integers, such as the widths of a block. All lists
// are equally long and lie side by side in memory, each with its number, so that finding one is
// fast (open addressing).
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
  // The memory where looking for a key begins.
  std::span<const std::int64_t> begin_of(Key key) const;

 private:
  std::size_t place_of(Key key) const;  // of the key, or the free one where it would be
  std::size_t first_place(Key key) const;
  const std::int64_t* at(std::size_t place) const {
    return entries_.data() + place * (length_ + 1);
  }
  std::int64_t number(std::size_t place) const { return at(place)[length_]; }
  bool has(std::size_t place, Key key) const;
  void put(Key key, std::int64_t number);
  void grow();

  std::size_t length_ = 0, used_ = 0;
  std::size_t places_ = 0;             // a power of two
  std::vector<std::int64_t> entries_;  // per place length_ of a key and a number, −1: free
};

}  // namespace ampere
