// Jobs for tests.
#pragma once

#include <string>

#include "fleet/fleet_job.h"
#include "fleet/job_work.h"

namespace ampere::testing_support {

inline constexpr const char* kVision = "project:vision";

inline FleetJob sample_job(const std::string& name, double reserved = 100) {
  FleetJob job;
  job.name = name;
  job.work = "{}";
  job.kind = "xavier";
  job.energy_j = {60, 50, 80, 0.95};
  job.time_s = {10, 9, 12, 0.95};
  job.power_most = {10};
  job.reserved = {reserved};
  job.accounts = {kVision};
  job.iterations = 1000;
  return job;
}

}  // namespace ampere::testing_support
