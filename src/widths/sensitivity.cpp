#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ampere/error.h"
#include "ampere/widths.h"
#include "base/stats.h"

namespace ampere {
namespace {

constexpr int kMostScanned = 512;  // networks per width
constexpr std::size_t kMostSteps = 5;
constexpr double kMuchMore = 4;  // times the median step

// The network with one of its widths at another value; nothing where that is not known.
class OneWidth {
 public:
  OneWidth(std::vector<std::int64_t> widths, std::size_t index, WidthJudge& judge)
      : widths_(std::move(widths)), index_(index), judge_(judge) {}

  std::optional<Judgement> at(std::int64_t width) {
    if (width < 1) return std::nullopt;
    std::vector<std::int64_t> widths = widths_;
    widths[index_] = width;
    return judge_.judge(widths);
  }

 private:
  std::vector<std::int64_t> widths_;
  std::size_t index_;
  WidthJudge& judge_;
};

// Per channel over the scanned range: between two neighbours it would be the step of one kernel to
// another, which find_steps() is for.
void set_slopes(OneWidth& network, const Judgement& cost, WidthSensitivity& of) {
  const auto narrow = network.at(of.scanned_from);
  const auto channels = static_cast<double>(of.scanned_to - of.scanned_from);
  if (!narrow || !(channels > 0)) return;
  of.j_per_channel = (cost.energy_j - narrow->energy_j) / channels;
  if (cost.time_s && narrow->time_s) of.s_per_channel = (*cost.time_s - *narrow->time_s) / channels;
  of.share = of.j_per_channel * static_cast<double>(of.width) / cost.energy_j;
}

// A step stands out when it costs several times what the others do.
void find_steps(OneWidth& network, WidthSensitivity& of) {
  const std::int64_t unit = of.multiple_of;
  const std::int64_t units = of.width / unit;
  const std::int64_t first = std::max<std::int64_t>(1, std::max(units / 2, units - kMostScanned));
  of.scanned_from = first * unit, of.scanned_to = of.width;
  std::vector<WidthStep> all;
  std::optional<Judgement> before = network.at(first * unit);
  for (std::int64_t i = first + 1; i <= units; ++i) {
    const std::optional<Judgement> after = network.at(i * unit);
    if (before && after)
      all.push_back({(i - 1) * unit, i * unit, after->energy_j - before->energy_j});
    before = after;
  }
  if (all.size() < 3) return;
  std::vector<double> sizes;
  for (const WidthStep& step : all) sizes.push_back(std::abs(step.joules));
  const double usual = median(sizes);
  std::erase_if(all, [&](const WidthStep& step) {
    return std::abs(step.joules) <= kMuchMore * usual || step.joules == 0;
  });
  std::ranges::stable_sort(all, std::greater{},
                           [](const WidthStep& step) { return std::abs(step.joules); });
  if (all.size() > kMostSteps) all.resize(kMostSteps);
  of.steps = std::move(all);
}

}  // namespace

Sensitivity sensitivity(const Model& model, WidthJudge& judge) {
  const std::vector<ChannelGroup> groups = free_widths(model);
  if (groups.empty())
    throw Error(ErrorCode::usage,
                fmt::format("{} has no width that is free: its channels follow from its data and "
                            "its classes",
                            model.name()));
  std::vector<std::int64_t> widths;
  for (const ChannelGroup& group : groups) widths.push_back(group.value);
  const std::optional<Judgement> cost = judge.judge(widths);
  if (!cost)
    throw Error(ErrorCode::unknown,
                fmt::format("{} cannot be judged: it has a block that the profile does not know",
                            model.name()),
                Remedy::profile);
  Sensitivity result{*cost, {}, judge.causes(widths).parts};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    WidthSensitivity of;
    of.name = groups[i].name;
    of.width = groups[i].value, of.multiple_of = groups[i].multiple_of;
    OneWidth network(widths, i, judge);
    find_steps(network, of);
    set_slopes(network, *cost, of);
    result.widths.push_back(std::move(of));
  }
  return result;
}

}  // namespace ampere
