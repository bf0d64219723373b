// Lines of others, which may be longer than memory or without an end.
#pragma once

#include <cstdint>
#include <istream>
#include <string>

namespace ampere {

inline constexpr std::uint64_t kLongestLine = std::uint64_t{64} << 20;  // of text, without weights
inline constexpr std::uint64_t kLongestState = std::uint64_t{4} << 30;  // with those of a network

// The next line without its end, as std::getline. False when there is none. Throws Error(usage)
// that begins with `origin` for a line of more than `most` bytes.
bool read_line(std::istream& in, std::string& line, const std::string& origin,
               std::uint64_t most = kLongestLine);

// Throws that error.
[[noreturn]] void refuse_long_line(const std::string& origin, std::uint64_t most);

}  // namespace ampere
