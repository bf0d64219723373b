// The folder that an option names.
#pragma once

#include <string>

namespace ampere {

// Makes it, before anything is measured, which may take hours. Throws Error(permission) when it
// cannot be written.
void require_folder(const std::string& folder, const std::string& option = "--out");

}  // namespace ampere
