// What kind of machine this is, as far as it explains what can be measured on it.
#pragma once

#include "meter/sysfs.h"

namespace ampere {

enum class Vendor { intel, amd, other };  // of the processor; Hygon's are AMD's

Vendor machine_vendor(const sysfs::Path& root);
bool is_virtual_machine(const sysfs::Path& root);
bool is_container(const sysfs::Path& root);

}  // namespace ampere
