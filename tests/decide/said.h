// The message that something is refused with.
#pragma once

#include <string>

#include "support/error_of.h"

namespace ampere::testing_support {

template <class Action>
std::string said(const Action& action) {
  return error_of(action).what();
}

}  // namespace ampere::testing_support
