// How long the processors of the machine were busy.
#pragma once

#include "ampere/units.h"
#include "meter/sysfs.h"

namespace ampere {

// Of all processors together since the machine started, from `proc`/stat; in steps of a clock tick.
// What a hypervisor gave to others (steal) is not in it. Throws Error(no_meter) or Error(failed).
Seconds machine_cpu_time(const sysfs::Path& proc);
Seconds machine_cpu_tick();

}  // namespace ampere
