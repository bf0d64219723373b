// Sizes that a hostile model file cannot overflow.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace ampere {

inline constexpr std::int64_t kMaxChannels = std::int64_t{1} << 24;
inline constexpr std::int64_t kMaxExtent = std::int64_t{1} << 24;    // positions along one axis
inline constexpr std::int64_t kMaxWindow = std::int64_t{1} << 20;    // kernel, stride, padding …
inline constexpr std::int64_t kMaxElements = std::int64_t{1} << 40;  // of one tensor or weight
inline constexpr std::int64_t kMaxParts = 1024;                      // of chunks
inline constexpr std::int64_t kMaxSegments = 128;                    // of a list of channels
inline constexpr std::int64_t kMaxAxes = 12;                         // of a tensor
inline constexpr std::int64_t kMaxLayers = std::int64_t{1} << 17;
inline constexpr std::int64_t kMaxWidth = std::int64_t{1} << 20;  // of a free channel group

// These throw Error(usage) instead of overflowing.
std::int64_t product(std::initializer_list<std::int64_t> factors);
std::int64_t size_of(const std::vector<std::int64_t>& lengths);  // their product
std::int64_t sum(std::initializer_list<std::int64_t> terms);

// Throws Error(usage) "<what> must be from <low> to <high>, not <value>".
void check_range(const std::string& what, std::int64_t value, std::int64_t low, std::int64_t high);

}  // namespace ampere
