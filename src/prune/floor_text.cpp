#include "prune/floor_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ampere {
namespace {

constexpr double kMostly = 0.5;
constexpr std::size_t kPartsNamed = 3;

std::string cause_text(const CostCauses& causes) {
  if (causes.waiting_share && *causes.waiting_share >= kMostly)
    return fmt::format(
        "{:.0f} % of that is the device waiting for the host to launch work, which fewer channels "
        "do not change: a larger batch or replaying the step as a graph would",
        100 * *causes.waiting_share);
  if (causes.ready_share && *causes.ready_share >= kMostly)
    return fmt::format(
        "{:.0f} % of that is the power of the device being ready, for as long as an iteration "
        "takes",
        100 * *causes.ready_share);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(kPartsNamed, causes.parts.size()); ++i)
    parts.push_back(fmt::format("{} {:.3g} J", causes.parts[i].title, causes.parts[i].energy_j));
  return fmt::format("most of it is {}", fmt::join(parts, ", "));
}

}  // namespace

std::string floor_text(const SearchResult& result, const EnergyBudget& budget) {
  const std::string promise = fmt::format(
      "no network can be promised to cost {:.4g} J per iteration or less", budget.joules);
  if (!result.floor) return promise + ": none of them is known to the profile";
  const WidthCandidate& floor = *result.floor;
  const std::string original =
      result.original ? fmt::format("; the original takes {:.4g} J", result.original->cost.energy_j)
                      : "";
  return fmt::format(
      "{}: the cheapest ({} channels) takes {:.4g} J, and up to {:.4g} J at {:.3g} % confidence{}. "
      "{}",
      promise, fmt::join(floor.widths, ","), floor.cost.energy_j, floor.upper_j,
      100 * budget.confidence, original, cause_text(result.floor_causes));
}

}  // namespace ampere
