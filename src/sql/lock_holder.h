// Who keeps a store locked.
#pragma once

#include <string>

namespace ampere {

// "process 1234 (ampere)", or "another process" where the system does not say.
std::string lock_holder(const std::string& path);

}  // namespace ampere
