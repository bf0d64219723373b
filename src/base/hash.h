// Short, stable names for long texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ampere {

// 64-bit FNV-1a: the same on every machine and in every version.
std::uint64_t hash_number(std::string_view text);
std::string hash_text(std::string_view text);  // the same as 16 hex digits

}  // namespace ampere
