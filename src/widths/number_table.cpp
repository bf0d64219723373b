#include "widths/number_table.h"

#include <algorithm>

namespace ampere {
namespace {

constexpr std::int64_t kFree = -1;
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

// Keys are so short that a call for comparing them would take longer than the comparison.
bool NumberTable::has(std::size_t place, Key key) const {
  const std::int64_t* own = at(place);
  for (std::size_t i = 0; i < length_; ++i)
    if (own[i] != key[i]) return false;
  return true;
}

std::size_t NumberTable::first_place(Key key) const { return hash_of(key) & (places_ - 1); }

std::size_t NumberTable::place_of(Key key) const {
  std::size_t place = first_place(key);
  while (number(place) != kFree && !has(place, key)) place = (place + 1) & (places_ - 1);
  return place;
}

std::span<const std::int64_t> NumberTable::begin_of(Key key) const {
  if (places_ == 0) return {};
  return {at(first_place(key)), length_ + 1};
}

std::optional<int> NumberTable::find(Key key) const {
  if (places_ == 0) return std::nullopt;
  const std::int64_t found = number(place_of(key));
  return found == kFree ? std::nullopt : std::optional(static_cast<int>(found));
}

void NumberTable::add(Key key, int number) {
  length_ = key.size();
  if (2 * (used_ + 1) > places_) grow();
  put(key, number);
  ++used_;
}

void NumberTable::put(Key key, std::int64_t number) {
  std::int64_t* entry = entries_.data() + place_of(key) * (length_ + 1);
  std::copy(key.begin(), key.end(), entry);
  entry[length_] = number;
}

void NumberTable::grow() {
  const std::vector<std::int64_t> entries = std::move(entries_);
  places_ = std::max(kFirstPlaces, 2 * places_);
  entries_.assign(places_ * (length_ + 1), kFree);
  for (std::size_t first = 0; first < entries.size(); first += length_ + 1)
    if (const std::int64_t number = entries[first + length_]; number != kFree)
      put({entries.data() + first, length_}, number);
}

void NumberTable::clear() { *this = {}; }

}  // namespace ampere
