// Energy where nothing can be measured: E = static power · wall time + core power · CPU seconds.
// The watts are assumptions, so everything that comes from here is `modelled`, never `measured`.
#pragma once

#include "ampere/meter.h"
#include "meter/sysfs.h"

namespace ampere {

struct ModelledOptions {
  sysfs::Path proc = "/proc";
};

// `argument`: "", "tdp=65", "static=5,core=10", "cpu=machine" and combinations. Throws
// Error(usage).
std::unique_ptr<Meter> open_modelled_meter(std::string_view argument,
                                           const ModelledOptions& options = {});

std::vector<MeterProbe> probe_modelled(const ModelledOptions& options = {});

}  // namespace ampere
