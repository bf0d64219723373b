// The folder that an option names, for what a verb writes.
#pragma once

#include <string>

namespace ampere {

// Creates the folder; called before measuring, which may take hours. Throws Error(permission) when
// the folder cannot be written.
void require_folder(const std::string& folder, const std::string& option = "--output-folder");

}  // namespace ampere
