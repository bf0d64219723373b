// Why RAPL cannot be read here, and what to do about it.
#pragma once

#include <string>
#include <vector>

#include "meter/sysfs.h"

namespace ampere {

struct RaplAdvice {
  std::string why;                    // empty when the system's own words say it all
  std::vector<std::string> remedies;  // the best first
};

RaplAdvice advise_permission(const sysfs::Path& root);  // there, but not for us
RaplAdvice advise_missing(const sysfs::Path& root);     // not there

}  // namespace ampere
