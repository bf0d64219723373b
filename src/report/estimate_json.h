// An estimate as JSON, with what the joules mean for a battery, the climate and a purse.
#pragma once

#include <optional>
#include <string>

#include "ampere/estimate.h"
#include "ampere/session.h"
#include "ampere/store.h"
#include "base/json.h"

namespace ampere {

inline constexpr double kJoulesPerKwh = 3.6e6;

struct Conversions {
  std::optional<double> battery_j;
  std::optional<double> carbon_g_per_kwh;
  std::optional<double> price_per_kwh;
};

struct EstimateReport {
  std::string model;
  std::string method;
  Setup setup;
  Workload workload;
  const ProfileRow* profile = nullptr;
  Estimate estimate;
  std::optional<Check> checked;  // the network really trained
  // How many times as long as while profiling the host takes now, where that is in the estimate.
  std::optional<double> host_slowdown = std::nullopt;
};

Json estimate_json(const EstimateReport& report, const Conversions& conversions);

}  // namespace ampere
