// A look at JSON before it is parsed. A parser takes up to a hundred bytes of memory for each
// bracket, and a small packed file holds millions of them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ampere {

// Throws Error(usage) that begins with `origin` for more than so many values, or values that are
// nested deeper. Text that is not JSON passes or does not.
void check_json_shape(std::string_view text, const std::string& origin, std::size_t most_values,
                      int deepest);

}  // namespace ampere
