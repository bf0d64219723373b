// The laws of a dual model put together for whole networks.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ampere/estimate.h"
#include "estimate/composer.h"
#include "method/dual/dual_model.h"
#include "method/dual/dynamic_energy.h"
#include "method/dual/tabulated_energy.h"
#include "method/dual/time_table.h"

namespace ampere {

class DualComposer : public Composer {
 public:
  explicit DualComposer(SharedDualModel model);

  // Throws Error(usage) for a block with another number of features than its kind was timed with.
  void add(const BlockTerms& block) override;
  // The same with times that are known already; the model needs no map of the kind.
  void add(const BlockTerms& block, const BlockTime& time, bool extrapolated);
  int size() const override { return static_cast<int>(costs_.size()); }
  void clear() override;
  // Only before blocks are added.
  void tabulate() override { tabulated_.emplace(model_->energy); }
  bool extrapolated(int block) const { return cost(block).extrapolated; }

  std::optional<NetworkCost> compose(std::span<const int> blocks) override;
  double time_sd() override { return time_.time_sd; }
  EnergyShares shares() const override;
  // All about the network last composed.
  DualPrediction prediction() const;

  // What the second of two networks costs more than the first, by the numbers of their blocks.
  // Absent when the method does not know a block's kind.
  std::optional<CostDifference> difference(std::span<const int> before, std::span<const int> after);

 private:
  // What the laws need of a block; the rest is sums over these.
  struct Cost {
    bool known = false, extrapolated = false;
    BlockTime time;
    double device_share_s = 0, host_share_s = 0;  // of the network's
    PowerBlock power;
  };
  // What the model has for a kind, looked up once for all blocks of it.
  struct Kind {
    const TimeMap* map = nullptr;  // null: it was not profiled
    TimeLaw::OfKind law;
    std::optional<TimeTable> table;
  };
  Kind& kind(const std::string& key);
  void add(const Kind& kind, const BlockTerms& block, const BlockTime& time, bool extrapolated);
  const Cost& cost(int block) const { return costs_[static_cast<std::size_t>(block)]; }
  double ready_j() const;    // energy of a device that does nothing
  double waiting_j() const;  // the part of it spent while the device waits for the host
  DynamicEnergy::Answer ask_work(std::span<const int> blocks, double stretch);
  void compose_energy(double dynamic_j, double dynamic_sd);
  struct Sensitivities;
  Sensitivities sensitivities() const;
  Eigen::VectorXd time_by_block() const;

  SharedDualModel model_;
  std::unordered_map<std::string, Kind> kinds_;  // by key
  std::vector<Cost> costs_;
  DynamicEnergy work_;
  std::optional<TabulatedEnergy> tabulated_;

  // The network last composed; standard deviations of time and energy are inflated.
  std::vector<int> blocks_;
  NetworkTime time_;
  double energy_j_ = 0, energy_sd_ = 0;
  RelativeErrors by_host_;  // the part of both deviations that comes from the host
};

}  // namespace ampere
