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
  const Program* program =
      nullptr;  // where it is no model; the setup is then its own, if it has one
};

// The samples of one iteration: the batch of the setup or what a program says, if it does.
std::optional<std::int64_t> batch_of(const EstimateReport& report);
// "host", "device" or, where its power limit is what the time follows from, "power".
const char* limit_of(const IterationDetails& iteration);
// "3", or the name of a profile that came with the program.
std::string profile_name(const ProfileRow& row);

Json estimate_json(const EstimateReport& report, const Conversions& conversions);

}  // namespace ampere
