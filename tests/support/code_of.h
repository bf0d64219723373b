// The code of the error that something ends with.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "ampere/error.h"

namespace ampere::testing_support {

inline ErrorCode code_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorCode::failed;
}

}  // namespace ampere::testing_support
