// Arguments of an operation that recipes read by their place. Wrong ones throw Error(usage) that
// names the operation.
#pragma once

#include <optional>

#include "program/operation_view.h"

namespace ampere {

const Value& argument(const Operation& operation, std::size_t index);  // absent past the last
bool flag(const Operation& operation, std::size_t index);
std::int64_t whole(const Operation& operation, std::size_t index);
std::optional<double> real(const Operation& operation, std::size_t index);

}  // namespace ampere
