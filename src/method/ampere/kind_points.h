// What the published method knows of each kind: its points, after subtraction.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ampere/block.h"
#include "ampere/store.h"
#include "method/ampere/fit.h"

namespace ampere {

struct KindPoint {
  std::vector<std::int64_t> features;
  std::int64_t training_flops = 0;  // of the block alone, an iteration
  double energy_j = 0, energy_sd = 0, time_s = 0, time_sd = 0;
};

struct KindPoints {
  std::string kind;  // key
  std::string title;
  Role role = Role::hidden;
  std::vector<std::string> feature_names;
  std::vector<KindPoint> points;  // as they were fitted
};

// Of every kind that the profile has a fit of. Throws Error(unknown) when it has none.
std::vector<KindPoints> kind_points(const Store& store, const ProfileRow& profile);

}  // namespace ampere
