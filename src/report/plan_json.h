// A training run as JSON, with what its joules mean for the climate and a purse.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "ampere/session.h"
#include "base/json.h"
#include "forecast/best_start.h"

namespace ampere {

// What a run emits or costs: by a constant, or by a forecast, which says when to start too.
struct RunValue {
  std::string name;  // "carbon_g", "price"
  std::string unit;  // of the forecast; empty
  std::optional<double> per_kwh;
  std::optional<StartOptions> by_start;
};

struct RunReport {
  std::string model;  // as the user wrote it
  const PlannedRun& planned;
  const RunTask& task;
  std::vector<RunValue> values;
  std::chrono::sys_seconds now;
  std::optional<Seconds> begin = {};  // from now; absent where nothing says when
  std::vector<std::string> warnings = {};
};

// Of the whole run at this start, with the interval of the energy.
Interval value_of(const RunValue& value, const RunReport& report);

Json run_json(const RunReport& report);

}  // namespace ampere
