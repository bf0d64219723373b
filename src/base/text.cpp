#include "base/text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <numeric>

#include "ampere/error.h"
#include "base/read_file.h"

namespace ampere {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// In the same case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

template <class Number>
Number parse_whole(std::string_view text, const std::string& what, const char* expected) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range)
    throw Error(ErrorCode::usage, fmt::format("{}: '{}' is out of range", what, text));
  if (error != std::errc{} || end != text.data() + text.size())
    throw Error(ErrorCode::usage, fmt::format("{}: '{}' is not {}", what, text, expected));
  return value;
}

}  // namespace

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.emplace_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::int64_t parse_integer(std::string_view text, const std::string& what) {
  return parse_whole<std::int64_t>(text, what, "a whole number");
}

double parse_number(std::string_view text, const std::string& what) {
  const double value = parse_whole<double>(text, what, "a number");
  if (!std::isfinite(value))
    throw Error(ErrorCode::usage, fmt::format("{}: '{}' is not a finite number", what, text));
  return value;
}

std::string lower_case(std::string text) {
  for (char& letter : text)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return text;
}

std::string suggestion(std::string_view wrong, std::span<const std::string> names) {
  const auto distance = [&](const std::string& name) { return edit_distance(wrong, name); };
  const auto nearest = std::ranges::min_element(names, {}, distance);
  if (nearest == names.end() || distance(*nearest) > std::max<std::size_t>(2, wrong.size() / 3))
    return "";
  return fmt::format("; did you mean '{}'?", *nearest);
}

std::string counted(std::int64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

bool contains_ignoring_case(std::string_view text, std::string_view part) {
  // The std::ranges::search of libstdc++ 12 does not compile with clang 14, which builds the
  // fuzzers.
  const auto is_same = [](char a, char b) { return lower(a) == lower(b); };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), is_same) != text.end() ||
         part.empty();
}

std::string read_text_file(const std::string& path) { return read_file(path, kLargestFile); }

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

std::string replaced(std::string text, std::string_view part, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += by.size())
    text.replace(at, part.size(), by);
  return text;
}

}  // namespace ampere
