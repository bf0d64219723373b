// What makers state of their devices: the numbers that people estimate with when they measure
// nothing.
#pragma once

#include <optional>
#include <string_view>

#include "ampere/evaluate.h"

namespace ampere {

// Of a device by its name ("NVIDIA H200"); nothing for devices whose data sheet is not known here.
std::optional<DataSheet> find_data_sheet(std::string_view device);

}  // namespace ampere
