#include "base/number_before.h"

#include <cstdlib>
#include <string>

namespace ampere {

std::optional<double> number_before(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  if (at == std::string_view::npos || at == 0) return std::nullopt;
  const std::size_t begin = text.find_last_not_of("0123456789.", at - 1) + 1;
  const double number = std::strtod(std::string(text.substr(begin, at - begin)).c_str(), nullptr);
  return number > 0 ? std::optional(number) : std::nullopt;
}

}  // namespace ampere
