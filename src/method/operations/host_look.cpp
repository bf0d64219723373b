#include "method/operations/host_look.h"

#include "base/json.h"
#include "base/json_text.h"

namespace ampere {
namespace {

constexpr double kMuchLonger = 1.2;

}  // namespace

Precision host_precision() {
  return {.relative_error = 0.05,
          .time_limit = Seconds(1),
          .min_window = Seconds(0.25),
          .min_windows = 2};
}

std::optional<double> host_alone(const std::optional<double>& small_s, const Program& program,
                                 double device_s) {
  if (!small_s || !program.samples || *program.samples < 1) return small_s;
  const double small_device_s =
      device_s * static_cast<double>(kSmallBatch) / static_cast<double>(*program.samples);
  return waits_for_host(*small_s, small_device_s) ? small_s : std::nullopt;
}

bool waits_for_host(double time_s, double device_s) { return time_s > kMuchLonger * device_s; }

Setup with_small_batch(const Setup& setup) {
  Setup small = setup;
  small.batch = kSmallBatch;
  return small;
}

double look_at_host(Rig& rig, const Model& model, const Setup& setup) {
  return rig.measure(model, with_small_batch(setup), host_precision()).time_s.mean;
}

std::optional<Script> with_small_batch(const Script& script) {
  Json arguments = parse_json(script.arguments, "the arguments of " + script.function);
  if (!arguments.contains("batch")) return std::nullopt;
  arguments["batch"] = kSmallBatch;
  Script small = script;
  small.arguments = json_text(arguments);
  return small;
}

std::optional<double> look_at_host(Rig& rig, const Script& script) {
  const std::optional<Script> small = with_small_batch(script);
  if (!small) return std::nullopt;
  return rig.measure(*small, host_precision()).measurement.time_s.mean;
}

}  // namespace ampere
