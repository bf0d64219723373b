// Canonical text of a kind, and its short title.
#pragma once

#include <string>

#include "block/features.h"

namespace ampere {

// Operators, fixed hyper-parameters, extents, and channels by the names of their features. Layer
// names and the present values of features do not enter. The text is what stores are searched by:
// it must not change between versions of the program.
std::string kind_key(const Model& fragment, Role role, const FeatureMap& map);

// "conv5x5+relu+max_pool2 @14x14": the operators and the extent of the main input.
std::string kind_title(const Model& fragment);

std::string extent_text(const std::vector<std::int64_t>& extent);  // "14x14"

}  // namespace ampere
