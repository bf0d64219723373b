// Uncertain numbers as JSON: null where there is none.
#pragma once

#include <optional>

#include "ampere/estimate.h"
#include "ampere/units.h"
#include "base/or_null.h"

namespace ampere {

inline Json quantity_json(const std::optional<Quantity>& quantity) {
  if (!quantity) return nullptr;
  return {{"mean", quantity->mean}, {"stddev", or_null(quantity->stddev)}};
}

inline Json interval_json(const Interval& interval) {
  return {{"mean", interval.mean},
          {"low", interval.low},
          {"high", interval.high},
          {"confidence", interval.confidence}};
}

}  // namespace ampere
