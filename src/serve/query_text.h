// The part of a target after '?'.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ampere {

// The first value of that name, decoded; nothing where there is none. Throws Error(usage) where a
// '%' is not followed by two hex digits.
std::optional<std::string> query_value(std::string_view query, std::string_view name);

std::string percent_decoded(std::string_view text);  // throws likewise

}  // namespace ampere
