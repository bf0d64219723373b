// The sum of the blocks' Gaussian processes.
#pragma once

#include <Eigen/Dense>
#include <memory>
#include <vector>

#include "ampere/estimate.h"
#include "estimate/composer.h"
#include "method/ampere/fit.h"

namespace ampere {

using SharedFits = std::shared_ptr<const Fits>;

// Kinds are independent; blocks of one kind are correlated through the process that they share.
class AmpereComposer : public Composer {
 public:
  explicit AmpereComposer(SharedFits fits) : fits_(std::move(fits)) {}

  // What is known of one block.
  struct Cost {
    const KindFit* fit = nullptr;  // null: its kind is not known
    std::ptrdiff_t rank = 0;       // of the kind
    bool extrapolated = false;
    Eigen::VectorXd features;
    Quantity energy, time;
  };

  void add(const BlockTerms& block) override;
  int size() const override { return static_cast<int>(costs_.size()); }
  void clear() override { costs_.clear(); }
  const Cost& cost(int block) const { return costs_[static_cast<std::size_t>(block)]; }

  std::optional<NetworkCost> compose(std::span<const int> blocks) override;
  double time_sd() override;
  // What the second of two networks costs more than the first, by the numbers of their blocks:
  // blocks that both have cancel, and those of one kind are correlated. Absent when a kind is not
  // known.
  std::optional<CostDifference> difference(std::span<const int> before, std::span<const int> after);

 private:
  double sd(GaussianProcess KindFit::*process, Quantity Cost::*own) const;
  double variance(std::span<const int> of_kind, GaussianProcess KindFit::*process,
                  Quantity Cost::*own) const;
  // nᵀΣn of different blocks of one kind.
  double weighted_variance(std::span<const int> different, std::span<const double> counts,
                           GaussianProcess KindFit::*process) const;

  SharedFits fits_;
  std::vector<Cost> costs_;
  std::vector<int> blocks_;  // of the network last composed, by kind and then by features
};

}  // namespace ampere
