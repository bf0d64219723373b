// Profiles of simulated devices, each made once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "method/ampere/fit.h"
#include "method/dual/dual.h"
#include "prune/search/width_search.h"

namespace ampere {

SharedDualModel dual_profile(const std::string& device, const std::string& spec,
                             std::int64_t batch);

// Every kind of these networks fitted to a curve over its features, with some noise: as uncertain
// as a profile is.
Fits curved_fits(const std::vector<Model>& models);

// Networks of the space at random.
std::vector<std::vector<std::int64_t>> draw_widths(const WidthSpace& space, int count,
                                                   unsigned seed);

}  // namespace ampere
