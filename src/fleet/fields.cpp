#include "fleet/fields.h"

#include <fmt/format.h>

namespace ampere {

std::string plain_name(const JsonField& field) {
  constexpr std::size_t kLongest = 64;
  constexpr const char* kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  const std::string name = field.text();
  if (name.empty() || name.size() > kLongest ||
      name.find_first_not_of(kLetters) != std::string::npos)
    field.fail(
        fmt::format("'{}' is not a name of 1 to {} letters, digits, dots, hyphens and "
                    "underscores",
                    name, kLongest));
  return name;
}

}  // namespace ampere
