// Reads JSON from its text, value by value, for what is most of a program: a tree of JSON values
// takes ten times as long. It knows the usual ways to write something; whoever meets another one
// asks the parser, which knows all of them and what is wrong.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace ampere {

class QuickText {
 public:
  explicit QuickText(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  const char* at() const { return at_; }

  // The character that comes next, after blanks; 0 at the end.
  char next() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) ++at_;
    return at_ == end_ ? '\0' : *at_;
  }

  bool take(char wanted) {
    if (next() != wanted) return false;
    ++at_;
    return true;
  }

  bool take_word(std::string_view word) {
    next();
    if (!std::string_view(at_, end_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  // An index: a whole number of a few digits.
  bool take_index(int& number) {
    const char* const begin = next() == '-' ? end_ : at_;
    const auto [after, error] = std::from_chars(begin, end_, number);
    if (error != std::errc() || (*begin == '0' && after - begin > 1)) return false;
    at_ = after;
    return true;
  }

  // A whole number, or a real one, which has a point or an exponent.
  using Number = std::variant<std::int64_t, double>;
  std::optional<Number> take_number() {
    next();
    const char* const digits = at_ != end_ && *at_ == '-' ? at_ + 1 : at_;
    if (digits == end_ || !is_digit(*digits)) return std::nullopt;
    if (*digits == '0' && digits + 1 != end_ && is_digit(digits[1])) return std::nullopt;
    const char* point = digits;
    while (point != end_ && is_digit(*point)) ++point;
    if (point == end_ || (*point != '.' && *point != 'e' && *point != 'E'))
      return digits != at_ && *digits == '0' ? std::nullopt : number<std::int64_t>();
    if (*point == '.' && (point + 1 == end_ || !is_digit(point[1]))) return std::nullopt;
    return number<double>();
  }

  // Text of printable ASCII without anything escaped.
  std::optional<std::string_view> take_text() {
    if (!take('"')) return std::nullopt;
    const char* const begin = at_;
    for (; at_ != end_ && *at_ != '"'; ++at_)
      if (*at_ < ' ' || *at_ > '~' || *at_ == '\\') return std::nullopt;
    if (at_ == end_) return std::nullopt;
    return std::string_view(begin, at_++);
  }

  // A list, each of whose values is taken by `take_one`, which says whether it could.
  template <class TakeOne>
  bool take_list(const TakeOne& take_one) {
    if (!take('[')) return false;
    if (take(']')) return true;
    do {
      if (!take_one()) return false;
    } while (take(','));
    return take(']');
  }

  // An object: `take_one` gets the key.
  template <class TakeOne>
  bool take_object(const TakeOne& take_one) {
    if (!take('{')) return false;
    if (take('}')) return true;
    do {
      const auto key = take_text();
      if (!key || !take(':') || !take_one(*key)) return false;
    } while (take(','));
    return take('}');
  }

 private:
  static bool is_digit(char c) { return '0' <= c && c <= '9'; }

  template <class T>
  std::optional<Number> number() {
    T value{};
    const auto [after, error] = std::from_chars(at_, end_, value);
    if (error != std::errc()) return std::nullopt;
    at_ = after;
    return value;
  }

  const char *at_, *end_;
};

}  // namespace ampere
