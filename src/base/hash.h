// Short, stable names for long texts.
#pragma once

#include <string>
#include <string_view>

namespace ampere {

// 64-bit FNV-1a as 16 hex digits: the same on every machine and in every version.
std::string hash_text(std::string_view text);

}  // namespace ampere
