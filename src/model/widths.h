// A model at other widths under another name.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "ampere/widths.h"

namespace ampere {

Model renamed_with_widths(const Model& model, std::span<const std::int64_t> widths,
                          OutputChannels output, std::string name);

}  // namespace ampere
