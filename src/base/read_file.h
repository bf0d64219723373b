// Files of others, which may be larger than memory or, as devices and pipes, without an end.
#pragma once

#include <cstdint>
#include <string>

namespace ampere {

// The largest files that are read whole.
inline constexpr std::uint64_t kLargestFile = std::uint64_t{8} << 30;  // with weights, of any kind
inline constexpr std::uint64_t kLargestProfile = std::uint64_t{1} << 30;      // exported
inline constexpr std::uint64_t kLargestRecording = std::uint64_t{1} << 30;    // unpacked
inline constexpr std::uint64_t kLargestModelFile = std::uint64_t{256} << 20;  // JSON
inline constexpr std::uint64_t kLargestTable = std::uint64_t{256} << 20;      // CSV
inline constexpr std::uint64_t kLargestSettings = std::uint64_t{1} << 20;

// The whole file. Throws Error(usage) naming the path and the reason, and for more than `most`
// bytes naming that limit.
std::string read_file(const std::string& path, std::uint64_t most);

std::string size_text(std::uint64_t bytes);  // "64 MiB", "12345 bytes"

}  // namespace ampere
