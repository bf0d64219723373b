// Texts packed by gzip, in memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ampere {

std::string gzip(std::string_view text);

bool is_gzip(std::string_view text);  // by its first two bytes

// Throws Error(usage) that begins with `origin`: when the text was cut off or is broken, and when
// it unpacks to more than `most` bytes, of which no more are kept meanwhile.
std::string gunzip(std::string_view packed, const std::string& origin, std::uint64_t most);

}  // namespace ampere
