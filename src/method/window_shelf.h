// Raw windows of many measurements, as far as a page has room for them.
#pragma once

#include <cstdint>

#include "ampere/measurement.h"
#include "base/json.h"

namespace ampere {

// Enough for any drawing: 6 digits.
double rounded(double value);

class WindowShelf {
 public:
  // Where the measurement's windows stand in json(), or null when there is no more room.
  Json add(const Measurement& measurement);

  const Json& json() const { return measurements_; }
  std::int64_t left_out() const { return left_out_; }  // measurements

 private:
  Json measurements_ = Json::array();
  std::size_t windows_ = 0;
  std::int64_t left_out_ = 0;
};

}  // namespace ampere
