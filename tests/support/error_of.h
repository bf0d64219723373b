// The error that something ends with.
#pragma once

#include <gtest/gtest.h>

#include "ampere/error.h"

namespace ampere::testing_support {

template <class Action>
Error error_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {ErrorCode::usage, ""};
}

}  // namespace ampere::testing_support
