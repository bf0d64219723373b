// What may be absent, as JSON: null where it is.
#pragma once

#include <optional>

#include "base/json.h"

namespace ampere {

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace ampere
