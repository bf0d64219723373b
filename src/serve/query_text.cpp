#include "serve/query_text.h"

#include <charconv>

#include "ampere/error.h"
#include "base/text.h"

namespace ampere {

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    unsigned value = 0;
    const char* const first = text.data() + i + 1;
    const bool long_enough = text.size() - i > 2;
    if (!long_enough || std::from_chars(first, first + 2, value, 16).ptr != first + 2)
      throw Error(ErrorCode::usage, "the target has a '%' that is not followed by two hex digits");
    decoded += static_cast<char>(value);
    i += 2;
  }
  return decoded;
}

std::optional<std::string> query_value(std::string_view query, std::string_view name) {
  for (const std::string& pair : split(query, '&')) {
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (percent_decoded(std::string_view(pair).substr(0, equals)) != name) continue;
    return percent_decoded(std::string_view(pair).substr(std::min(equals + 1, pair.size())));
  }
  return std::nullopt;
}

}  // namespace ampere
