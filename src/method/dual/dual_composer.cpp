#include "method/dual/dual_composer.h"

#include <algorithm>
#include <cmath>

namespace ampere {

DualComposer::DualComposer(SharedDualModel model)
    : model_(std::move(model)), work_(model_->energy) {}

DualComposer::Kind& DualComposer::kind(const std::string& key) {
  const auto [found, is_new] = kinds_.try_emplace(key);
  if (is_new) {
    const auto map = model_->maps.find(key);
    if (map != model_->maps.end()) found->second.map = &map->second;
    found->second.law = model_->time.of_kind(key);
  }
  return found->second;
}

void DualComposer::add(const BlockTerms& block) {
  Kind& of = kind(block.kind);
  if (of.map == nullptr) {
    costs_.emplace_back();
    if (tabulated_) tabulated_->add({}, 0);
    return;
  }
  const bool extrapolated = !of.map->covers(block.features);
  if (!tabulated_) return add(of, block, (*of.map)(block.features), extrapolated);
  if (!of.table) of.table.emplace(*of.map);
  add(of, block, (*of.table)(block.features), extrapolated);
}

void DualComposer::add(const BlockTerms& block, const BlockTime& time, bool extrapolated) {
  add(kind(block.kind), block, time, extrapolated);
}

void DualComposer::add(const Kind& kind, const BlockTerms& block, const BlockTime& time,
                       bool extrapolated) {
  const TimeLaw& law = model_->time;
  costs_.push_back({true, extrapolated, time,
                    law.device_share(kind.law, time.device_s, block.bytes),
                    law.host_share(kind.law, time.host_s), power_block(block)});
  if (tabulated_) tabulated_->add(costs_.back().power, time.device_s);
}

std::optional<NetworkCost> DualComposer::compose(std::span<const int> blocks) {
  blocks_.assign(blocks.begin(), blocks.end());
  NetworkCost network;
  double mapped_s = 0, device_s = model_->time.device_constant;
  double host_s = model_->time.host_constant;
  for (const int block : blocks) {
    const Cost& one = cost(block);
    if (!one.known) return std::nullopt;
    mapped_s += one.time.device_s;
    device_s += one.device_share_s;
    host_s += one.host_share_s;
    network.extrapolated = network.extrapolated || one.extrapolated;
  }
  const double error =
      error_of_sum(blocks, [this](int block) -> const BlockTime& { return cost(block).time; });
  time_ = model_->time.compose(device_s, host_s, error);

  const double stretch = mapped_s > 0 ? time_.device_s / mapped_s : 1;
  const DynamicEnergy::Answer work = ask_work(blocks, stretch);
  compose_energy(work.dynamic_j, work.sd);
  time_.time_sd *= model_->inflation.time;
  network.energy_j = energy_j_, network.energy_sd = energy_sd_;
  network.time_s = time_.time_s;
  return network;
}

DynamicEnergy::Answer DualComposer::ask_work(std::span<const int> blocks, double stretch) {
  if (tabulated_ && tabulated_->answers(blocks, stretch)) return tabulated_->ask(blocks, stretch);
  work_.begin(static_cast<Eigen::Index>(blocks.size()));
  for (std::size_t i = 0; i < blocks.size(); ++i)
    work_.set(static_cast<Eigen::Index>(i), cost(blocks[i]).power,
              stretch * cost(blocks[i]).time.device_s);
  return work_.ask();
}

void DualComposer::clear() {
  costs_.clear();
  if (tabulated_) tabulated_->forget();
}

double DualComposer::ready_j() const { return model_->energy.ready_w * time_.time_s; }

double DualComposer::waiting_j() const {
  return model_->energy.ready_w * std::max(0.0, time_.time_s - time_.device_s);
}

// Var E = (∂E/∂d)² Var d + (P0 ∂T/∂h)² Var h + Var e: a longer device time costs P0 where one waits
// for the device, and the power of the work everywhere.
void DualComposer::compose_energy(double dynamic_j, double dynamic_sd) {
  const double ready_w = model_->energy.ready_w;
  energy_j_ = ready_j() + dynamic_j;
  const double power_w = time_.device_s > 0 ? dynamic_j / time_.device_s : 0;
  const double by_device = (ready_w * time_.by_device + power_w) * time_.device_sd;
  const double by_host = ready_w * time_.by_host * time_.host_sd;
  const double unseen = model_->energy.process.noise * energy_j_;
  energy_sd_ = model_->inflation.energy * std::sqrt(by_device * by_device + by_host * by_host +
                                                    dynamic_sd * dynamic_sd + unseen * unseen);
  by_host_ = {model_->inflation.energy * by_host / energy_j_,
              model_->inflation.time * time_.by_host * time_.host_sd / time_.time_s};
}

// Each block's share of an iteration's time: by what one waits for.
Eigen::VectorXd DualComposer::time_by_block() const {
  Eigen::VectorXd device(static_cast<Eigen::Index>(blocks_.size())), host = device;
  for (Eigen::Index i = 0; i < device.size(); ++i) {
    const BlockTime& time = cost(blocks_[static_cast<std::size_t>(i)]).time;
    device[i] = time.device_s, host[i] = time.host_s;
  }
  const bool by_host = time_.host_s > time_.device_s && host.sum() > 0;
  return by_host ? host * (time_.time_s / host.sum()) : device * (time_.time_s / device.sum());
}

EnergyShares DualComposer::shares() const {
  return {waiting_j() / energy_j_, ready_j() / energy_j_};
}

DualPrediction DualComposer::prediction() const {
  DualPrediction result;
  result.time = time_;
  result.energy_j = energy_j_, result.energy_sd = energy_sd_;
  result.by_host = by_host_;
  result.waiting_j = waiting_j();
  result.time_by_block = time_by_block();
  result.energy_by_block = model_->energy.ready_w * result.time_by_block + work_.by_block();
  return result;
}

DualPrediction predict(const DualModel& model, const MappedNetwork& network) {
  DualComposer composer(SharedDualModel(SharedDualModel(), &model));
  const std::vector<int> numbers = number_blocks(network.blocks);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] == composer.size()) composer.add(network.blocks[i], network.times[i], false);
  composer.compose(numbers);
  return composer.prediction();
}

}  // namespace ampere
