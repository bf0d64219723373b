#include "synthetic.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "model/draw.h"

namespace ampere {
namespace {

// The same for the same thing measured: nothing depends on the order.
double factor(double noise, const std::string& what) {
  std::mt19937_64 random(std::hash<std::string>{}(what));
  double sum = 0;  // of twelve even draws: variance 1
  for (int i = 0; i < 12; ++i) sum += static_cast<double>(random() >> 11) * 0x1p-53;
  return 1 + noise * (sum - 6);
}

std::string name_of(const BlockTerms& block) {
  std::string name = block.kind;
  for (const std::int64_t feature : block.features) name += " " + std::to_string(feature);
  return name;
}

}  // namespace

double SyntheticDevice::device_s(const BlockTerms& block) const {
  return (start_s + block.flops / peak_flops + block.bytes / bandwidth) *
         factor(jumps, name_of(block));
}

double SyntheticDevice::host_s(const BlockTerms& block) const {
  return synchronous ? 0 : launch_s * (block.last ? 2 : 1);
}

// `slowness` is that of the host.
SyntheticDevice::Truth SyntheticDevice::truth(const Model& model, const Setup& setup,
                                              double slowness) const {
  Truth truth;
  double dynamic_j = 0;
  for (const BlockTerms& block : terms_of(model, setup)) {
    truth.device_s += device_s(block);
    truth.host_s += host_s(block);
    dynamic_j += device_w * device_s(block) + j_per_flop * block.flops + j_per_byte * block.bytes +
                 j_per_block;
  }
  if (!synchronous) truth.host_s += iteration_s;
  truth.host_s *= slowness;
  truth.time_s = std::max(truth.host_s, truth.device_s) +
                 (1 - overlap) * std::min(truth.host_s, truth.device_s);
  truth.energy_j = ready_w * truth.time_s + dynamic_j;
  return truth;
}

Observation SyntheticDevice::measure(const Model& model, const Setup& setup) const {
  const std::string name = model_hash(model);
  const Truth real = truth(model, setup, factor(wobble, name + " then"));
  Observation observation;
  observation.setup = setup;
  observation.model = model;
  observation.measurement.emplace();
  observation.measurement->energy_j = {real.energy_j * factor(noise, name + " energy"), 0};
  observation.measurement->time_s = {real.time_s * factor(noise, name + " time"), 0};
  observation.measurement->source = Source::simulated;
  observation.timing = Timing{
      .device_s = real.device_s * factor(noise, name + " device"), .host_s = {}, .elapsed = {}};
  if (wobble > 0) {
    const double slowness = factor(wobble, name + " later");
    observation.pace =
        Pace{truth(model, setup, slowness).time_s, slowness * 1e-3, "reference", Seconds{}};
  }
  return observation;
}

std::vector<BlockTiming> SyntheticDevice::time_blocks(const Model& model,
                                                      const Setup& setup) const {
  std::vector<BlockTiming> timings;
  for (const BlockTerms& block : terms_of(model, setup)) {
    const std::string name = name_of(block);
    Timing timing;
    timing.device_s = device_s(block) * factor(noise, name + " device");
    if (!synchronous) timing.host_s = host_s(block) * factor(noise, name + " host");
    timings.push_back({block.kind, block.features, timing, "", ""});
  }
  return timings;
}

Window SyntheticDevice::idle() const {
  Window window;
  window.time = Seconds(1);
  window.energy = {ready_w};
  return window;
}

DualEvidence evidence_of(const SyntheticDevice& device, int networks, int timed) {
  DualEvidence evidence;
  const std::vector<Model> drawn = draw_networks("cnn5", std::max(networks, timed), 5);
  for (int i = 0; i < networks; ++i) evidence.networks.push_back(device.measure(drawn[i]));
  for (int i = 0; i < timed; ++i)
    for (BlockTiming& timing : device.time_blocks(drawn[i]))
      evidence.timings.push_back(std::move(timing));
  evidence.idle = device.idle();
  return evidence;
}

DualPrediction ask(const DualModel& model, const Model& network) {
  return predict(model, map_network(terms_of(network, model.setup), model.maps));
}

}  // namespace ampere
