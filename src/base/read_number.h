// Reading numbers and words within limits. All functions throw Error(usage) that names the field.
#pragma once

#include <limits>
#include <string>

#include "ampere/error.h"
#include "base/json.h"

namespace ampere {

inline double read_at_least_zero(const JsonField& json) {
  const double value = json.number();
  if (value < 0) json.fail("must not be negative");
  return value;
}

inline std::int64_t read_whole(const JsonField& json) {
  const std::int64_t value = json.integer();
  if (value < 0) json.fail("must not be negative");
  return value;
}

inline int read_count(const JsonField& json, int least) {
  const std::int64_t value = json.integer();
  if (value < least || value > std::numeric_limits<int>::max())
    json.fail("must be at least " + std::to_string(least) + " and fit 31 bits");
  return static_cast<int>(value);
}

// A word of a closed list. An error of its parser gets the path of the field.
template <class Parse>
auto read_word(const JsonField& json, Parse parse) {
  const std::string word = json.text();
  try {
    return parse(word);
  } catch (const Error& error) {
    json.fail(error.what());
  }
}

}  // namespace ampere
