#include "estimate/parts.h"

#include <fmt/format.h>

#include <algorithm>

namespace ampere {
namespace {

std::vector<std::string> names_of(const std::vector<Feature>& features) {
  std::vector<std::string> names;
  for (const Feature& feature : features) names.push_back(feature.name);
  return names;
}

}  // namespace

std::vector<int> collect_parts(const Model& model, std::span<const Block> blocks,
                               const std::function<bool(const Block&)>& known, Estimate& estimate) {
  std::vector<int> part_of;
  std::vector<Part>& parts = estimate.parts;
  for (const Block& block : blocks) {
    if (!known(block)) {
      for (const int layer : block.layers)
        estimate.uncovered.push_back(
            {model.layers()[layer].name, fmt::format("no profile of '{}' ({})", block.kind->title,
                                                     to_string(block.kind->role))});
      part_of.push_back(-1);
      continue;
    }
    const auto equal = std::ranges::find_if(parts, [&](const Part& part) {
      return part.kind == block.kind->key && part.features == block.features;
    });
    part_of.push_back(static_cast<int>(equal - parts.begin()));
    if (equal != parts.end())
      ++equal->count;
    else
      parts.push_back({block.kind->key,
                       block.kind->title,
                       block.kind->role,
                       names_of(block.kind->features),
                       block.features,
                       1,
                       {},
                       {},
                       false});
  }
  return part_of;
}

void warn_of_extrapolation(Estimate& estimate) {
  const auto extrapolated = std::ranges::count_if(estimate.parts, &Part::extrapolated);
  if (extrapolated > 0)
    estimate.warnings.push_back(
        fmt::format("{} of {} parts lie outside what was profiled; profile this network to be sure",
                    extrapolated, estimate.parts.size()));
}

}  // namespace ampere
