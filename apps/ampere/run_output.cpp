#include "run_output.h"

#include <fmt/format.h>

#include "base/json_text.h"
#include "base/or_null.h"
#include "base/text.h"
#include "print.h"
#include "record/record_json.h"

namespace ampere {
namespace {

std::int64_t trained_iterations(const Measurement& measured) {
  std::int64_t sum = 0;
  for (const Window& window : measured.windows) sum += window.iterations;
  return sum;
}

double stated_iterations(const Measurement& measured, std::int64_t asked) {
  return static_cast<double>(asked > 0 ? asked : trained_iterations(measured));
}

Json cost_json(const Measurement& measured, std::int64_t asked) {
  const double iterations = stated_iterations(measured, asked);
  return {{"iterations", static_cast<std::int64_t>(iterations)},
          {"energy_j", measured.energy_j.mean * iterations},
          {"time_s", measured.time_s.mean * iterations},
          {"measurement", measurement_json(measured)}};
}

void print_quantity(const char* name, const Quantity& quantity, const char* unit,
                    double iterations) {
  fmt::print(
      "{:<8}{} for {}   {} ± {} per iteration\n", name, with_unit(quantity.mean * iterations, unit),
      counted(static_cast<std::int64_t>(iterations), "iteration"), with_unit(quantity.mean, unit),
      quantity.stddev ? with_unit(*quantity.stddev, unit) : "unknown");
}

void print_measurement(const Measurement& measured, std::int64_t asked) {
  const double iterations = stated_iterations(measured, asked);
  print_quantity("energy", measured.energy_j, "J", iterations);
  print_quantity("time", measured.time_s, "s", iterations);
}

}  // namespace

void print_run(const RunResult& result, const DeviceInfo& device, std::int64_t iterations) {
  const Measurement& measured = result.measured;
  const auto windows = static_cast<std::int64_t>(measured.windows.size());
  fmt::print("{}: {} on {} ({}), {}, {} trained\n", result.trained.name, result.trained.how,
             device.name, to_string(measured.source), counted(windows, "window"),
             counted(trained_iterations(measured), "iteration"));
  print_measurement(measured, iterations);
  if (measured.preparation)
    fmt::print("before the first iteration (building, compiling): {}, {}\n",
               with_unit(measured.preparation->energy.value, "J"),
               with_unit(measured.preparation->time.count(), "s"));
  if (result.without_data) {
    fmt::print("without the data loader, with one batch again and again:\n");
    print_measurement(*result.without_data, iterations);
  }
  for (const std::string& note : measured.notes) fmt::print("note: {}\n", note);
}

void print_run_json(const RunResult& result, const DeviceInfo& device, std::int64_t iterations) {
  Json json{{"model", result.trained.name},
            {"batch", or_null(result.trained.batch)},
            {"device", device_brief_json(device)}};
  json.update(cost_json(result.measured, iterations));
  if (result.without_data) json["without_data"] = cost_json(*result.without_data, iterations);
  fmt::print("{}\n", json_text(json));
}

Footprint footprint_of(const RunResult& result, const DeviceInfo& device, std::int64_t iterations) {
  const Measurement& measured = result.measured;
  const double stated = stated_iterations(measured, iterations);
  Footprint footprint;
  footprint.name = result.trained.name;
  footprint.device = device.name;
  footprint.is_gpu = measures_gpu(device.meter);
  footprint.energy_j = measured.energy_j.mean * stated;
  footprint.time_s = measured.time_s.mean * stated;
  footprint.iterations = static_cast<std::int64_t>(stated);
  footprint.source = measured.source;
  return footprint;
}

}  // namespace ampere
