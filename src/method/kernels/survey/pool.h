// The kernels that a survey chooses from.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "method/kernels/survey.h"

namespace ampere {

// One type: what networks have of it, and others around that.
struct TypePool {
  std::string type;
  std::vector<Kernel> in_networks;
  std::vector<int> counts;   // how often each stands there
  std::vector<Kernel> left;  // of all, not chosen yet; in the order of the first round
};

std::vector<TypePool> make_pools(std::span<const Model> networks, const FusionRules& rules,
                                 const SurveyOptions& options);

// How many of each type the first round takes: ten of each where there are so many, and half of all
// that is to be measured in proportion to what networks have.
std::vector<std::size_t> first_round(std::span<const TypePool> pools, int configurations);

// `total` in proportion to the weights, none above its limit.
std::vector<std::size_t> shared_out(std::size_t total, std::span<const double> weights,
                                    std::span<const std::size_t> limits);

}  // namespace ampere
