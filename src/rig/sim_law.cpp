#include "rig/sim_law.h"

#include <algorithm>
#include <cmath>

namespace ampere {
namespace {

constexpr double kBytesPerNumber = 4;
constexpr double kMostIdle = 4;  // work takes at most this many times its share of a wave

constexpr Phase kPhases[] = {Phase::forward, Phase::backward, Phase::update};

bool has_every_phase(const Setup& setup) {
  return setup.phase == Phase::iteration || setup.phase == Phase::block;
}

bool is_part(Phase part, const Setup& setup) {
  return has_every_phase(setup) || setup.phase == part ||
         (setup.phase == Phase::inference && part == Phase::forward);
}

struct Work {  // of one layer in one phase of the iteration
  double kernels = 0, flops = 0, bytes = 0;
};

double forward_kernels(const Layer& layer) {
  if (std::holds_alternative<Input>(layer.op) || std::holds_alternative<Flatten>(layer.op) ||
      std::holds_alternative<Reshape>(layer.op) || std::holds_alternative<Parameter>(layer.op))
    return 0;
  if (std::holds_alternative<Recurrent>(layer.op))
    return static_cast<double>(layer.output.positions());         // one step after the other
  if (std::holds_alternative<SelfAttention>(layer.op)) return 6;  // q, k, v, scores, mix, output
  return 1;
}

bool is_matrix_product(const Op& op) {
  return std::holds_alternative<Conv>(op) || std::holds_alternative<ConvTranspose>(op) ||
         std::holds_alternative<MatMul>(op) || std::holds_alternative<Linear>(op) ||
         std::holds_alternative<Recurrent>(op) || std::holds_alternative<SelfAttention>(op);
}

double rounded_up(std::int64_t value, std::int64_t multiple) {
  return static_cast<double>((value + multiple - 1) / multiple * multiple) /
         static_cast<double>(value);
}

// How much more is computed than asked: channels filled up to whole tiles, odd ones worse.
double padding(const SimLaw& law, const Layer& layer, const Model& model) {
  if (!is_matrix_product(layer.op)) return 1;
  const std::int64_t out = layer.output.channels;
  double padded = rounded_up(out, law.out_tile) * (out % 2 == 1 ? 1 + law.odd_penalty : 1);
  const Conv* conv = std::get_if<Conv>(&layer.op);
  if (conv == nullptr || !conv->depthwise)
    padded *= rounded_up(model.layers().at(layer.inputs.at(0)).output.channels, law.in_tile);
  return padded;
}

double device_time_s(const SimLaw& law, const Work& work, double stretch) {
  return law.kernel_s * work.kernels + sim_roofline_s(law, stretch * work.flops, work.bytes);
}

double moments_of(Optimizer optimizer) {
  if (optimizer == Optimizer::plain_sgd) return 0;
  return optimizer == Optimizer::sgd ? 1 : 2;
}

void add_layer(SimCost& cost, const SimLaw& law, const Layer& layer, const Model& model,
               const Setup& setup) {
  const Counts counts = count(layer, model, setup.batch);
  const auto parameters = static_cast<double>(counts.parameters);
  const auto flops = static_cast<double>(counts.forward_flops);
  const auto bytes = static_cast<double>(counts.bytes);
  const double kernels = forward_kernels(layer);
  // The update reads weight and gradient, reads and writes each moment, writes the weight.
  const double moments = moments_of(setup.optimizer);
  const Work phases[] = {
      {kernels, flops, bytes},
      {kernels * (parameters > 0 ? 2 : 1), static_cast<double>(counts.training_flops) - flops,
       2 * bytes},
      {parameters > 0 ? 1.0 : 0.0, 0, kBytesPerNumber * parameters * (3 + 2 * moments)}};

  const double padded = padding(law, layer, model);
  // Where there is less than a wave to compute, sums are split to use more of the device.
  const double waves =
      std::min(kMostIdle, rounded_up(std::max<std::int64_t>(counts.activations, 1), law.wave));
  for (int i = 0; i < 3; ++i) {
    if (!is_part(kPhases[i], setup)) continue;
    const Work& work = phases[i];
    cost.host_s += law.launch_s * work.kernels;
    cost.device_s += device_time_s(law, work, padded * waves);
    cost.dynamic_j += law.j_per_flop * padded * work.flops + law.j_per_byte * work.bytes +
                      law.j_per_kernel * work.kernels;
  }
  const auto activations = static_cast<double>(counts.activations);
  cost.memory_bytes += kBytesPerNumber * (setup.phase == Phase::inference
                                              ? parameters + activations
                                              : parameters * (2 + moments) + 2 * activations);
}

bool joins(const Op& op) {
  const auto* activation = std::get_if<Activation>(&op);
  return std::holds_alternative<BatchNorm>(op) ||
         (activation != nullptr &&
          (activation->function == Function::relu || activation->function == Function::relu6));
}

// Computed on the way by the layer it reads, which nobody else reads.
bool is_fused(const SimLaw& law, const Layer& layer, const Model& model, const Setup& setup) {
  if (!law.fuses || setup.phase != Phase::inference || !joins(layer.op)) return false;
  const int from = layer.inputs.at(0);
  const Op& before = model.layers().at(from).op;
  const auto reads_it = [from](const Layer& other) {
    return std::ranges::find(other.inputs, from) != other.inputs.end();
  };
  return (is_matrix_product(before) || joins(before)) &&
         std::ranges::count_if(model.layers(), reads_it) == 1;
}

// What an iteration costs the host beside its layers is spread evenly over its phases. A block has
// none of it: blocks add up to the network less this.
double beside_layers_s(const SimLaw& law, const Setup& setup) {
  if (setup.phase == Phase::block) return 0;
  return law.iteration_s / (has_every_phase(setup) ? 1 : std::size(kPhases));
}

}  // namespace

double sim_roofline_s(const SimLaw& law, double flops, double bytes) {
  const double p = law.roofline;
  const double compute_s = flops / law.peak_flops;
  const double memory_s = bytes / law.bandwidth;
  const double longer = std::max(compute_s, memory_s), shorter = std::min(compute_s, memory_s);
  return longer > 0 ? longer * std::pow(1 + std::pow(shorter / longer, p), 1 / p) : 0;
}

SimCost sim_cost(const SimLaw& law, const Model& model, const Setup& setup) {
  SimCost cost;
  cost.host_s = beside_layers_s(law, setup);
  for (const Layer& layer : model.layers())
    if (!std::holds_alternative<Input>(layer.op) && !is_fused(law, layer, model, setup))
      add_layer(cost, law, layer, model, setup);
  return cost;
}

double sim_time_s(const SimLaw& law, const SimCost& cost, double clock) {
  const double device_s = cost.device_s / clock;
  return std::max(cost.host_s, device_s) + (1 - law.overlap) * std::min(cost.host_s, device_s);
}

double sim_energy_j(const SimLaw& law, const SimCost& cost, double clock) {
  return law.static_w * sim_time_s(law, cost, clock) + cost.dynamic_j * clock * clock;
}

}  // namespace ampere
