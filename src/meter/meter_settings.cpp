#include "meter/meter_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ampere/error.h"
#include "base/text.h"

namespace ampere {
namespace {

bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace

MeterSettings::MeterSettings(std::string_view kind, std::string_view argument,
                             std::vector<std::string> keys)
    : spec_(argument.empty() ? std::string(kind) : fmt::format("{}:{}", kind, argument)) {
  std::vector<std::string> pieces = split(argument, ',');
  for (; !pieces.empty(); pieces.pop_back()) {
    const std::string& piece = pieces.back();
    const std::size_t equals = piece.find('=');
    const std::string key(trim(std::string_view(piece).substr(0, equals)));
    if (equals == std::string::npos || !is_word(key)) break;
    if (std::ranges::find(keys, key) == keys.end()) {
      if (suggestion(key, keys).empty()) break;
      throw Error(ErrorCode::usage, fmt::format("meter '{}': '{}' is not one of its settings{}",
                                                spec_, key, suggestion(key, keys)));
    }
    if (!values_.emplace(key, trim(std::string_view(piece).substr(equals + 1))).second)
      throw Error(ErrorCode::usage, fmt::format("meter '{}': {} is given twice", spec_, key));
  }
  subject_ = fmt::format("{}", fmt::join(pieces, ","));
}

std::optional<std::string> MeterSettings::text(const std::string& key) const {
  const auto found = values_.find(key);
  if (found == values_.end()) return std::nullopt;
  return found->second;
}

std::optional<double> MeterSettings::number(const std::string& key) const {
  const auto value = text(key);
  if (!value) return std::nullopt;
  return parse_number(*value, fmt::format("meter '{}': {}", spec_, key));
}

std::optional<double> MeterSettings::not_negative(const std::string& key) const {
  const auto value = number(key);
  if (value && *value < 0)
    throw Error(ErrorCode::usage, fmt::format("meter '{}': {} must not be negative", spec_, key));
  return value;
}

std::optional<std::string> MeterSettings::choice(const std::string& key,
                                                 const std::vector<std::string>& choices) const {
  auto value = text(key);
  if (value && std::ranges::find(choices, *value) == choices.end())
    throw Error(ErrorCode::usage, fmt::format("meter '{}': {} is '{}', but must be one of: {}",
                                              spec_, key, *value, fmt::join(choices, ", ")));
  return value;
}

}  // namespace ampere
