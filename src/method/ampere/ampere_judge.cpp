#include <algorithm>
#include <cmath>

#include "ampere/channels.h"
#include "estimate/causes.h"
#include "method/ampere/fit.h"
#include "widths/cost_table.h"

namespace ampere {
namespace {

struct AmpereCost {
  const KindFit* fit = nullptr;  // null: not known
  std::ptrdiff_t rank = 0;       // of the kind
  bool extrapolated = false;
  Eigen::VectorXd features;
  Prediction energy;
  double time_s = 0;
};

// By kind, then by features: sums are the same whatever was judged before.
bool in_order(const AmpereCost* a, const AmpereCost* b) {
  if (a->rank != b->rank) return a->rank < b->rank;
  return std::ranges::lexicographical_compare(a->features, b->features);
}

bool outside(const KindFit& fit, const std::vector<std::int64_t>& features) {
  for (std::size_t i = 0; i < features.size(); ++i)
    if (features[i] < fit.low[i] || features[i] > fit.high[i]) return true;
  return false;
}

class AmpereJudge : public WidthJudge {
 public:
  AmpereJudge(const Model& original, Fits fits)
      : original_(original),
        fits_(std::move(fits)),
        estimator_(make_ampere_estimator(fits_)),
        table_(original, {}) {
    require_covered(estimator_->estimate(original, {}), original);
  }

  std::optional<Judgement> judge(std::span<const std::int64_t> widths) override {
    blocks_ = table_.at(widths, [this](const SizedBlock& block) { return cost_of(block); });
    Judgement judgement;
    double time_s = 0, variance = 0;
    for (const AmpereCost* block : blocks_) {
      if (block->fit == nullptr) return std::nullopt;
      judgement.energy_j += block->energy.mean;
      time_s += block->time_s;
      judgement.extrapolated = judgement.extrapolated || block->extrapolated;
    }
    // Kinds are independent, blocks of one kind correlated through the process they share.
    std::ranges::sort(blocks_, in_order);
    for (auto begin = blocks_.begin(); begin != blocks_.end();) {
      const auto end = std::find_if(begin, blocks_.end(),
                                    [&](const AmpereCost* b) { return b->fit != (*begin)->fit; });
      variance += variance_of({begin, end});
      begin = end;
    }
    judgement.energy_sd = std::sqrt(variance);
    judgement.time_s = time_s;
    return judgement;
  }

  CostCauses causes(std::span<const std::int64_t> widths) override {
    const Model network = with_widths(original_, widths);
    const Estimate estimate = estimator_->estimate(network, {});
    require_covered(estimate, network);
    return {{}, {}, cost_parts(estimate)};
  }

 private:
  AmpereCost cost_of(const SizedBlock& block) const {
    const auto found = fits_.find(table_.kind(block).key);
    if (found == fits_.end()) return {};
    const KindFit& fit = found->second;
    Eigen::VectorXd features(static_cast<Eigen::Index>(block.features.size()));
    std::ranges::copy(block.features, features.begin());
    const Prediction energy = fit.energy.predict(features);
    const double time_s = fit.time.predict(features).mean;
    return {&fit,
            std::distance(fits_.begin(), found),
            outside(fit, block.features),
            std::move(features),
            energy,
            time_s};
  }

  // nᵀΣn over the different blocks of one kind, which lie side by side.
  static double variance_of(std::span<const AmpereCost* const> blocks) {
    const auto size = static_cast<double>(blocks.size());
    if (blocks.front() == blocks.back()) return size * size * blocks.front()->energy.variance;
    std::vector<const AmpereCost*> different;
    std::vector<double> counts;
    for (const AmpereCost* block : blocks) {
      if (different.empty() || different.back() != block) {
        different.push_back(block);
        counts.push_back(0);
      }
      ++counts.back();
    }
    Eigen::MatrixXd rows(different.size(), blocks.front()->features.size());
    for (std::size_t i = 0; i < different.size(); ++i)
      rows.row(static_cast<Eigen::Index>(i)) = different[i]->features;
    const Eigen::Map<const Eigen::VectorXd> n(counts.data(), rows.rows());
    return std::max(0.0, n.dot(blocks.front()->fit->energy.covariance(rows) * n));
  }

  Model original_;
  Fits fits_;
  std::unique_ptr<Estimator> estimator_;
  CostTable<AmpereCost> table_;
  std::vector<const AmpereCost*> blocks_;
};

}  // namespace

std::unique_ptr<WidthJudge> make_ampere_judge(const Model& original, Fits fits) {
  return std::make_unique<AmpereJudge>(original, std::move(fits));
}

}  // namespace ampere
