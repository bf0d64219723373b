// What the library misses in a file, with the option that states it.
#pragma once

#include <fmt/format.h>

#include "base/unstated.h"

namespace ampere {

// The options of the command are called as the facts: --device, --source.
template <class Call>
auto naming_the_option(const Call& call) try {
  return call();
} catch (const Unstated& error) {
  throw Error(error.code(), fmt::format("{} (--{})", error.what(), error.fact()));
}

}  // namespace ampere
