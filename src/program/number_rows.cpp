#include "program/number_rows.h"

#include <charconv>

namespace ampere {
namespace {

constexpr std::string_view kKey = "\"steps\"";

class RowReader {
 public:
  explicit RowReader(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  const char* at() const { return at_; }

  bool take(char wanted) {
    pass_blanks();
    if (at_ == end_ || *at_ != wanted) return false;
    ++at_;
    return true;
  }

  // A number of a few digits, as JSON spells it.
  bool take_number(int& number) {
    pass_blanks();
    const auto [after, error] = std::from_chars(at_, end_, number);
    if (error != std::errc() || *at_ == '-' || (*at_ == '0' && after - at_ > 1)) return false;
    at_ = after;
    return true;
  }

  bool take_row(std::array<int, 3>& row) {
    return take('[') && take_number(row[0]) && take(',') && take_number(row[1]) && take(',') &&
           take_number(row[2]) && take(']');
  }

 private:
  void pass_blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) ++at_;
  }

  const char *at_, *end_;
};

}  // namespace

std::optional<StepRows> cut_steps(std::string_view text) {
  const std::size_t key = text.find(kKey);
  if (key == std::string_view::npos || text.find(kKey, key + 1) != std::string_view::npos)
    return std::nullopt;
  RowReader reader(text.substr(key + kKey.size()));
  if (!reader.take(':')) return std::nullopt;
  const auto begin = static_cast<std::size_t>(reader.at() - text.data());
  StepRows steps;
  if (!reader.take('[')) return std::nullopt;
  do {
    if (!reader.take_row(steps.rows.emplace_back())) return std::nullopt;
  } while (reader.take(','));
  if (!reader.take(']')) return std::nullopt;
  steps.rest = text.substr(0, begin);
  steps.rest += std::to_string(kStepsElsewhere);
  steps.rest += text.substr(static_cast<std::size_t>(reader.at() - text.data()));
  return steps;
}

}  // namespace ampere
