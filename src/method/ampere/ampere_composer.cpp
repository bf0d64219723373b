#include "method/ampere/ampere_composer.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ampere {
namespace {

bool outside(const KindFit& fit, const std::vector<std::int64_t>& features) {
  for (std::size_t i = 0; i < features.size(); ++i)
    if (features[i] < fit.low[i] || features[i] > fit.high[i]) return true;
  return false;
}

// By kind, then by features: sums are the same whatever was composed before.
bool in_order(const AmpereComposer::Cost& a, const AmpereComposer::Cost& b) {
  if (a.rank != b.rank) return a.rank < b.rank;
  return std::lexicographical_compare(a.features.begin(), a.features.end(), b.features.begin(),
                                      b.features.end());
}

}  // namespace

void AmpereComposer::add(const BlockTerms& block) {
  Cost& cost = costs_.emplace_back();
  const auto found = fits_->find(block.kind);
  if (found == fits_->end()) return;
  const KindFit& fit = found->second;
  cost.fit = &fit;
  cost.rank = std::distance(fits_->begin(), found);
  cost.extrapolated = outside(fit, block.features);
  cost.features.resize(static_cast<Eigen::Index>(block.features.size()));
  std::copy(block.features.begin(), block.features.end(), cost.features.begin());
  cost.energy = fit.energy.predict(cost.features);
  cost.time = fit.time.predict(cost.features);
}

// Ê_model = Ê_in(C1) + Σ Ê_hid(C_{i−1}, C_i) + Ê_out(C_{n−1})
std::optional<NetworkCost> AmpereComposer::compose(std::span<const int> blocks) {
  blocks_.assign(blocks.begin(), blocks.end());
  NetworkCost network;
  for (const int block : blocks) {
    const Cost& one = cost(block);
    if (one.fit == nullptr) return std::nullopt;
    network.energy_j += one.energy.mean;
    network.time_s += one.time.mean;
    network.extrapolated = network.extrapolated || one.extrapolated;
  }
  std::sort(blocks_.begin(), blocks_.end(),
            [this](int a, int b) { return in_order(cost(a), cost(b)); });
  network.energy_sd = sd(&KindFit::energy, &Cost::energy);
  return network;
}

double AmpereComposer::time_sd() { return sd(&KindFit::time, &Cost::time); }

double AmpereComposer::sd(GaussianProcess KindFit::*process, Quantity Cost::*own) const {
  double sum = 0;
  for (auto begin = blocks_.begin(); begin != blocks_.end();) {
    const auto end = std::find_if(begin, blocks_.end(),
                                  [&](int block) { return cost(block).fit != cost(*begin).fit; });
    sum += variance({begin, end}, process, own);
    begin = end;
  }
  return std::sqrt(sum);
}

// nᵀΣn over the different blocks of one kind, which lie side by side.
double AmpereComposer::variance(std::span<const int> of_kind, GaussianProcess KindFit::*process,
                                Quantity Cost::*own) const {
  const Cost& first = cost(of_kind.front());
  const auto size = static_cast<double>(of_kind.size());
  if (of_kind.front() == of_kind.back()) return std::pow(size * assumed_error(first.*own), 2);
  std::vector<int> different;
  std::vector<double> counts;
  for (const int block : of_kind) {
    if (different.empty() || different.back() != block) {
      different.push_back(block);
      counts.push_back(0);
    }
    ++counts.back();
  }
  return weighted_variance(different, counts, process);
}

double AmpereComposer::weighted_variance(std::span<const int> different,
                                         std::span<const double> counts,
                                         GaussianProcess KindFit::*process) const {
  const Cost& first = cost(different.front());
  Eigen::MatrixXd rows(different.size(), first.features.size());
  for (std::size_t i = 0; i < different.size(); ++i)
    rows.row(static_cast<Eigen::Index>(i)) = cost(different[i]).features;
  const Eigen::Map<const Eigen::VectorXd> n(counts.data(), rows.rows());
  return std::max(0.0, n.dot((first.fit->*process).covariance(rows) * n));
}

std::optional<CostDifference> AmpereComposer::difference(std::span<const int> before,
                                                         std::span<const int> after) {
  const std::optional<NetworkCost> a = compose(before), b = compose(after);
  if (!a || !b) return std::nullopt;
  std::map<int, double> counts;
  for (const int block : before) --counts[block];
  for (const int block : after) ++counts[block];
  struct OfKind {
    std::vector<int> blocks;
    std::vector<double> counts;
  };
  std::map<std::ptrdiff_t, OfKind> kinds;
  for (const auto& [block, count] : counts) {
    if (count == 0) continue;
    OfKind& kind = kinds[cost(block).rank];
    kind.blocks.push_back(block);
    kind.counts.push_back(count);
  }
  double energy = 0, time = 0;
  for (const auto& [rank, kind] : kinds) {
    energy += weighted_variance(kind.blocks, kind.counts, &KindFit::energy);
    time += weighted_variance(kind.blocks, kind.counts, &KindFit::time);
  }
  return CostDifference{{b->energy_j - a->energy_j, std::sqrt(energy)},
                        {b->time_s - a->time_s, std::sqrt(time)}};
}

}  // namespace ampere
