#include "ranges.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "base/text.h"

namespace ampere {
namespace {

// A number in the text's own words, or why it is none.
template <class Read>
std::string checked(const std::string& text, const char* kind, const std::string& range,
                    const Read& in_range) {
  try {
    return in_range() ? "" : fmt::format("{} is not {}", text, range);
  } catch (const Error&) {
    return fmt::format("'{}' is not a {} {}", text, kind, range);
  }
}

// People write +5, which parse_number() does not read.
std::string without_plus(const std::string& text) {
  return text.size() > 1 && text[0] == '+' && text[1] != '-' ? text.substr(1) : text;
}

double number_in(const std::string& text) { return parse_number(without_plus(text), "value"); }

}  // namespace

ValueCheck whole_from_to(std::int64_t least, std::int64_t most) {
  return [least, most](const std::string& text) {
    return checked(text, "whole number", fmt::format("between {} and {}", least, most), [&] {
      const std::int64_t value = parse_integer(without_plus(text), "value");
      return value >= least && value <= most;
    });
  };
}

ValueCheck number_from_to(double least, double most) {
  return [least, most](const std::string& text) {
    return checked(text, "number", fmt::format("between {} and {}", least, most), [&] {
      const double value = number_in(text);
      return value >= least && value <= most;
    });
  };
}

ValueCheck number_above_to(double excluded, double most) {
  return [excluded, most](const std::string& text) {
    return checked(text, "number", fmt::format("above {} and at most {}", excluded, most), [&] {
      const double value = number_in(text);
      return value > excluded && value <= most;
    });
  };
}

ValueCheck share() {
  return [](const std::string& text) -> std::string {
    try {
      const double value = number_in(text);
      return value > 0 && value < 1 ? "" : text + " must be above 0 and below 1";
    } catch (const Error&) {
      return fmt::format("'{}' is not a number above 0 and below 1", text);
    }
  };
}

}  // namespace ampere
