// Profiles in messages, and which of them are of one device.
#pragma once

#include <string>

#include "ampere/store.h"

namespace ampere {

std::string profile_text(const ProfileRow& row);  // "profile 3", "the shipped profile h200"

// The same chip, whatever else differs: versions of the framework, the driver, the meter.
bool is_same_device(const ProfileRow& one, const ProfileRow& other);

}  // namespace ampere
