// A text made smaller for a page, which unpacks it again.
#pragma once

#include <string>
#include <string_view>

namespace ampere {

std::string gzip(std::string_view text);

}  // namespace ampere
