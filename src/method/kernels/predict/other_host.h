// What an inference costs on a host of another speed.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ampere/estimate.h"

namespace ampere {

struct OtherHost {
  double slowdown = 1;  // it takes so many times as long
  double ready_w = 0;   // of the device ready and doing nothing: what longer waiting costs
};

// Changes the parts that wait for the host, and both totals with them. All parts have energies and
// times; `device_s` are the device times of the first parts, where they are known. A part without
// one is taken to wait.
void put_on(const OtherHost& host, std::span<const std::optional<double>> device_s,
            std::vector<Part>& parts, Quantity& energy, Quantity& time);

}  // namespace ampere
