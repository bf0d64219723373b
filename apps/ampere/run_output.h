// What `ampere run` prints.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ampere/rig.h"
#include "report/exports.h"

namespace ampere {

// What was trained, in one of two ways: a network with a setup, or a script.
struct Trained {
  std::string name;
  std::optional<std::int64_t> batch;
  std::string how;  // "batch 10, sgd, fp32"
};

// A script that has a data loader is also measured with one batch again and again.
struct RunResult {
  Trained trained;
  Measurement measured;
  std::optional<Measurement> without_data = {};
};

// `iterations`: for which the cost is stated; 0 for all that were trained.
void print_run(const RunResult& result, const DeviceInfo& device, std::int64_t iterations);
void print_run_json(const RunResult& result, const DeviceInfo& device, std::int64_t iterations);
Footprint footprint_of(const RunResult& result, const DeviceInfo& device, std::int64_t iterations);

}  // namespace ampere
