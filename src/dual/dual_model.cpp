#include "dual/dual_model.h"

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
DualPrediction predict(const DualModel& model, const MappedNetwork& network) {
  DualPrediction result;
  result.time = model.time(network);
  NetworkTime& time = result.time;
  const EnergyLaw::Energy work = model.energy(network, time.device_s);
  const double ready_w = model.energy.ready_w;
  result.energy_j = ready_w * time.time_s + work.dynamic_j;

  const double power_w = time.device_s > 0 ? work.dynamic_j / time.device_s : 0;
  const double by_device = (ready_w * time.by_device + power_w) * time.device_sd;
  const double by_host = ready_w * time.by_host * time.host_sd;
  const double unseen = model.energy.process.noise * result.energy_j;
  result.energy_sd = model.energy_inflation * std::sqrt(by_device * by_device + by_host * by_host +
                                                        work.sd * work.sd + unseen * unseen);
  time.time_sd *= model.time_inflation;

  result.time_by_block = time.time_s * time_shares(time, network);
  result.energy_by_block = ready_w * result.time_by_block + work.by_block;
  result.waiting_j = ready_w * std::max(0.0, time.time_s - time.device_s);
  return result;
}

}  // namespace ampere
