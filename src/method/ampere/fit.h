// From observations of variant networks to what each block kind costs: subtraction, then one
// Gaussian process for energy and one for time.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "ampere/block.h"
#include "ampere/estimate.h"
#include "ampere/gp.h"
#include "ampere/store.h"
#include "ampere/widths.h"

namespace ampere {

struct KindFit {
  std::string kind;  // key
  std::string title;
  Role role = Role::hidden;
  std::vector<std::string> features;
  std::vector<std::int64_t> low, high;  // of the points it was fitted to; outside is extrapolation
  Source source = Source::measured;
  GaussianProcess energy;  // joules per iteration over the features
  GaussianProcess time;    // seconds per iteration
};

using Fits = std::map<std::string, KindFit>;  // by kind key

// One kind's own cost at each point: what the variant cost, less what its companions are known to.
struct KindData {
  Eigen::MatrixXd x;                              // one row a point, one column a feature
  Eigen::VectorXd energy, energy_noise_variance;  // per iteration
  Eigen::VectorXd time, time_noise_variance;
};

// Failed observations are passed over. Throws Error(unknown) when a companion is not in `known`.
KindData isolate(const BlockKind& kind, std::span<const Observation> observations,
                 const Fits& known);

// Throws Error(unknown) when no observation succeeded.
KindFit fit_kind(const BlockKind& kind, std::span<const Observation> observations,
                 const Fits& known);

// Whether every companion in the observed variant is in `known`, so that it can be isolated.
bool can_isolate(const BlockKind& kind, const Observation& observation, const Fits& known);

// As it is stored: reading back costs no search.
std::string to_text(const KindFit& fit);
KindFit parse_fit(const std::string& text);

// The published method: the sum of the blocks' Gaussian processes.
std::unique_ptr<Estimator> make_ampere_estimator(Fits fits, const Setup& setup = {});

}  // namespace ampere
