// A long text as a store keeps it: packed by zlib.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ampere {

std::string pack_text(std::string_view text);

// `size` is the length of the text. Throws Error(usage) that names the origin when the blob is not
// such a text.
std::string unpack_text(std::string_view blob, std::int64_t size, const std::string& origin);

}  // namespace ampere
