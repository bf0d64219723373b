// Where in a document a value stands. Only complaints spell it out: a path for each of a hundred
// thousand values would take longer than reading them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json.h"

namespace ampere {

class Place {
 public:
  explicit Place(const JsonField& whole) : root_(&whole.path()) {}
  // Refers to the place outside and to the key, which outlive it.
  Place(const Place& outside, std::string_view key) : outside_(&outside), key_(key) {}
  Place(const Place& outside, std::size_t index) : outside_(&outside), index_(index) {}

  std::string path() const;
  [[noreturn]] void fail(const std::string& message) const;  // Error(usage)

  // The value as what it must be.
  const Json& list(const Json& json) const;
  const Json& object(const Json& json) const;
  std::int64_t integer(const Json& json) const;
  std::int64_t whole(const Json& json) const;  // not negative
  std::string text(const Json& json) const;    // as it can be shown

  // A place in a list of so many things: "tensor 99 does not exist (there are 40)".
  int index(const Json& json, const char* thing, std::size_t count) const;

 private:
  const std::string* root_ = nullptr;
  const Place* outside_ = nullptr;
  std::string_view key_;
  std::size_t index_ = 0;
};

}  // namespace ampere
