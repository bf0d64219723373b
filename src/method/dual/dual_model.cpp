#include "method/dual/dual_model.h"

#include <cmath>

namespace ampere {
namespace {

// Each block's share of an iteration's time: by what one waits for.
Eigen::VectorXd time_shares(const NetworkTime& time, const MappedNetwork& network) {
  Eigen::VectorXd shares(static_cast<Eigen::Index>(network.blocks.size()));
  const bool by_host = time.host_s > time.device_s && network.host_s > 0;
  for (Eigen::Index i = 0; i < shares.size(); ++i) {
    const BlockTime& block = network.times[static_cast<std::size_t>(i)];
    shares[i] = by_host ? block.host_s : block.device_s;
  }
  return shares / shares.sum();
}

}  // namespace

// Var E = (∂E/∂d)² Var d + (P0 ∂T/∂h)² Var h + Var e: a longer device time costs P0 where one waits
// for the device, and the power of the work everywhere.
DualEnergy compose(const DualModel& model, const NetworkTime& time, double dynamic_j,
                   double dynamic_sd) {
  DualEnergy energy;
  const double ready_w = model.energy.ready_w;
  energy.energy_j = ready_w * time.time_s + dynamic_j;
  const double power_w = time.device_s > 0 ? dynamic_j / time.device_s : 0;
  const double by_device = (ready_w * time.by_device + power_w) * time.device_sd;
  const double by_host = ready_w * time.by_host * time.host_sd;
  const double unseen = model.energy.process.noise * energy.energy_j;
  energy.energy_sd = model.inflation.energy * std::sqrt(by_device * by_device + by_host * by_host +
                                                        dynamic_sd * dynamic_sd + unseen * unseen);
  energy.waiting_j = ready_w * std::max(0.0, time.time_s - time.device_s);
  return energy;
}

DualPrediction predict(const DualModel& model, const MappedNetwork& network) {
  DualPrediction result;
  result.time = model.time(network);
  NetworkTime& time = result.time;
  const EnergyLaw::Energy work = model.energy(network, time.device_s);
  const DualEnergy energy = compose(model, time, work.dynamic_j, work.sd);
  result.energy_j = energy.energy_j, result.energy_sd = energy.energy_sd;
  result.waiting_j = energy.waiting_j;
  time.time_sd *= model.inflation.time;

  result.time_by_block = time.time_s * time_shares(time, network);
  result.energy_by_block = model.energy.ready_w * result.time_by_block + work.by_block;
  return result;
}

}  // namespace ampere
