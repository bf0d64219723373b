#include "program/json_shape.h"

#include <fmt/format.h>

#include "ampere/error.h"

namespace ampere {
namespace {

// The position behind the text that begins at `at`, with its quote.
std::size_t behind_text(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return at;
}

}  // namespace

void check_json_shape(std::string_view text, const std::string& origin, std::size_t most_values,
                      int deepest) {
  std::size_t values = 0;
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') at = behind_text(text, at);
    if (c == ',') ++values;
    if (c == ']' || c == '}') --depth;
    if (c == '[' || c == '{') {
      ++values;
      if (++depth > deepest)
        throw Error(ErrorCode::usage,
                    fmt::format("{}: is nested deeper than {} brackets", origin, deepest));
    }
    if (values > most_values)
      throw Error(
          ErrorCode::usage,
          fmt::format("{}: has more than {} values, the most that are read", origin, most_values));
  }
}

}  // namespace ampere
