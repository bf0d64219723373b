#include <cmath>

#include "ampere/channels.h"
#include "estimate/causes.h"
#include "method/dual/dual.h"
#include "method/dual/dual_model.h"
#include "method/dual/residual_power.h"
#include "widths/cost_table.h"

namespace ampere {
namespace {

// All that the laws want of a block; the rest is sums over these.
struct DualCost {
  bool known = false, extrapolated = false;
  double device_s = 0;
  double spread_s = 0;                          // standard deviation of it
  double device_share_s = 0, host_share_s = 0;  // of the network's
  Work work;
  PowerBlock power;
};

// Equal blocks err alike, others on their own.
double maps_variance(const std::vector<const DualCost*>& blocks) {
  double variance = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      if (blocks[i] == blocks[j])
        variance += (i == j ? 1 : 2) * blocks[i]->spread_s * blocks[i]->spread_s;
  return variance;
}

class DualJudge : public WidthJudge {
 public:
  DualJudge(const Model& original, SharedDualModel model)
      : original_(original),
        model_(std::move(model)),
        table_(original, model_->setup),
        rest_(model_->energy) {
    require_covered(make_dual_estimator(model_)->estimate(original, {}), original);
  }

  // As predict() of dual_model.h composes it.
  std::optional<Judgement> judge(std::span<const std::int64_t> widths) override {
    const auto& blocks =
        table_.at(widths, [this](const SizedBlock& block) { return cost_of(block); });
    double mapped_s = 0, device_s = model_->time.device_constant;
    double host_s = model_->time.host_constant;
    Judgement judgement;
    for (const DualCost* block : blocks) {
      if (!block->known) return std::nullopt;
      mapped_s += block->device_s;
      device_s += block->device_share_s;
      host_s += block->host_share_s;
      judgement.extrapolated = judgement.extrapolated || block->extrapolated;
    }
    const double error = mapped_s > 0 ? std::sqrt(maps_variance(blocks)) / mapped_s : 0;
    const NetworkTime time = model_->time.compose(device_s, host_s, error);
    const double sd = ask_power(blocks, mapped_s > 0 ? time.device_s / mapped_s : 1);
    const DualEnergy energy = compose(*model_, time, dynamic_j_, sd);
    judgement.energy_j = energy.energy_j, judgement.energy_sd = energy.energy_sd;
    judgement.time_s = time.time_s;
    return judgement;
  }

  CostCauses causes(std::span<const std::int64_t> widths) override {
    const Model network = with_widths(original_, widths);
    const Estimate estimate = make_dual_estimator(model_)->estimate(network, {});
    require_covered(estimate, network);
    const DualPrediction predicted =
        predict(*model_, map_network(terms_of(network, model_->setup), model_->maps));
    const double ready_j = model_->energy.ready_w * predicted.time.time_s;
    return {predicted.waiting_j / predicted.energy_j, ready_j / predicted.energy_j,
            cost_parts(estimate)};
  }

 private:
  DualCost cost_of(const SizedBlock& block) const {
    const BlockKind& kind = table_.kind(block);
    const auto map = model_->maps.find(kind.key);
    if (map == model_->maps.end()) return {};
    const BlockTime time = map->second(block.features);
    const TimeLaw& law = model_->time;
    return {true,
            !map->second.covers(block.features),
            time.device_s,
            time.device_s * time.device_error,
            law.device_share(kind.key, time.device_s, block.work.bytes),
            law.host_share(kind.key, time.host_s),
            block.work,
            power_block({kind.key, block.features, 1, block.work.flops, block.work.bytes,
                         kind.role == Role::input, kind.role == Role::output})};
  }

  // Leaves the energy of the work in dynamic_j_.
  double ask_power(const std::vector<const DualCost*>& blocks, double stretch) {
    if (terms_.device_s.size() != static_cast<Eigen::Index>(blocks.size()))
      resize(terms_, static_cast<Eigen::Index>(blocks.size()));
    dynamic_j_ = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      set_row(terms_, row, blocks[i]->power, stretch * blocks[i]->device_s);
      dynamic_j_ +=
          model_->energy.summed(terms_.device_s[row], blocks[i]->work.flops, blocks[i]->work.bytes);
    }
    const double sd = rest_.ask(terms_);
    dynamic_j_ += rest_.by_block().sum();
    return sd;
  }

  Model original_;
  SharedDualModel model_;
  CostTable<DualCost> table_;
  ResidualPower rest_;
  PowerTerms terms_;
  double dynamic_j_ = 0;
};

}  // namespace

std::unique_ptr<WidthJudge> make_dual_judge(const Model& original, SharedDualModel model) {
  return std::make_unique<DualJudge>(original, std::move(model));
}

}  // namespace ampere
