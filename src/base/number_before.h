// Numbers in texts that devices are described by.
#pragma once

#include <optional>
#include <string_view>

namespace ampere {

// The number right before a word, if there is one above 0: 700 of "power limit 700 W" for " W".
std::optional<double> number_before(std::string_view text, std::string_view word);

}  // namespace ampere
