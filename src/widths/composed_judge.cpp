#include "widths/composed_judge.h"

#include "ampere/widths.h"
#include "estimate/causes.h"
#include "widths/width_blocks.h"

namespace ampere {
namespace {

class ComposedJudge : public WidthJudge {
 public:
  ComposedJudge(const Model& original, const Setup& setup, std::unique_ptr<Composer> composer,
                std::unique_ptr<Estimator> estimator)
      : original_(original),
        blocks_(original, setup),
        composer_(std::move(composer)),
        estimator_(std::move(estimator)) {
    require_covered(estimator_->estimate(original, {}), original);
  }

  std::optional<Judgement> judge(std::span<const std::int64_t> widths) override {
    if (blocks_.size() > kMostBlocks) {
      blocks_.forget();
      composer_->clear();
    }
    const std::vector<int>& numbers = blocks_.at(widths);
    while (composer_->size() < blocks_.size()) add(blocks_.block(composer_->size()));
    const std::optional<NetworkCost> cost = composer_->compose(numbers);
    if (!cost || !is_possible(*cost)) return std::nullopt;
    return Judgement{cost->energy_j, cost->energy_sd, cost->time_s, cost->extrapolated};
  }

  void expect(std::span<const std::int64_t> widths) override { blocks_.expect(widths); }

  void tabulate() override { composer_->tabulate(); }

  CostCauses causes(std::span<const std::int64_t> widths) override {
    const Model network = with_widths(original_, widths);
    const Estimate estimate = estimator_->estimate(network, {});
    require_covered(estimate, network);
    judge(widths);
    const EnergyShares shares = composer_->shares();
    return {shares.waiting, shares.ready, cost_parts(estimate)};
  }

 private:
  void add(const SizedBlock& block) {
    const BlockKind& kind = blocks_.kind(block.kind);
    composer_->add({kind.key, block.features, 1, block.work.flops, block.work.bytes,
                    kind.role == Role::input, kind.role == Role::output});
  }

  Model original_;
  WidthBlocks blocks_;
  std::unique_ptr<Composer> composer_;
  std::unique_ptr<Estimator> estimator_;
};

}  // namespace

std::unique_ptr<WidthJudge> make_composed_judge(const Model& original, const Setup& setup,
                                                std::unique_ptr<Composer> composer,
                                                std::unique_ptr<Estimator> estimator) {
  return std::make_unique<ComposedJudge>(original, setup, std::move(composer),
                                         std::move(estimator));
}

}  // namespace ampere
