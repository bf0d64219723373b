#include "widths/number_table.h"

#include <algorithm>

namespace ampere {
namespace {

constexpr int kFree = -1;
constexpr std::size_t kFirstPlaces = 64;

std::uint64_t hash_of(NumberTable::Key key) {
  std::uint64_t hash = key.size();
  for (const std::int64_t value : key) {
    hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace

std::size_t NumberTable::place_of(Key key) const {
  const std::size_t last = numbers_.size() - 1;
  std::size_t place = hash_of(key) & last;
  while (numbers_[place] != kFree &&
         !std::equal(key.begin(), key.end(), keys_.data() + place * length_))
    place = (place + 1) & last;
  return place;
}

std::optional<int> NumberTable::find(Key key) const {
  if (numbers_.empty()) return std::nullopt;
  const int number = numbers_[place_of(key)];
  return number == kFree ? std::nullopt : std::optional(number);
}

void NumberTable::add(Key key, int number) {
  length_ = key.size();
  if (2 * (used_ + 1) > numbers_.size()) grow();
  const std::size_t place = place_of(key);
  numbers_[place] = number;
  std::ranges::copy(key, keys_.data() + place * length_);
  ++used_;
}

void NumberTable::grow() {
  const std::vector<int> numbers = std::move(numbers_);
  const std::vector<std::int64_t> keys = std::move(keys_);
  const std::size_t places = std::max(kFirstPlaces, 2 * numbers.size());
  numbers_.assign(places, kFree);
  keys_.assign(places * length_, 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == kFree) continue;
    const Key key(keys.data() + i * length_, length_);
    const std::size_t place = place_of(key);
    numbers_[place] = numbers[i];
    std::ranges::copy(key, keys_.data() + place * length_);
  }
}

void NumberTable::clear() { *this = {}; }

}  // namespace ampere
