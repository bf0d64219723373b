#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "ampere/error.h"
#include "ampere/widths.h"
#include "method/proxies/proxies.h"
#include "widths/cost_table.h"

namespace ampere {
namespace {

struct FlopsCost {
  double flops = 0;
  const std::string* title = nullptr;
};

class FlopsJudge : public WidthJudge {
 public:
  FlopsJudge(const Model& original, std::int64_t batch, double joules_of_original)
      : table_(original, {.batch = batch}) {
    std::vector<std::int64_t> widths;
    for (const ChannelGroup& width : free_widths(original)) widths.push_back(width.value);
    const double flops = flops_at(widths);
    if (flops <= 0)
      throw Error(ErrorCode::unknown,
                  fmt::format("{} has no operation that is counted", original.name()));
    joules_per_flop_ = joules_of_original / flops;
  }

  std::optional<Judgement> judge(std::span<const std::int64_t> widths) override {
    return Judgement{joules_per_flop_ * flops_at(widths), 0, {}, false};
  }

  CostCauses causes(std::span<const std::int64_t> widths) override {
    std::vector<CostPart> parts;
    for (const FlopsCost* block : costs_at(widths)) {
      auto part = std::ranges::find(parts, *block->title, &CostPart::title);
      if (part == parts.end()) part = parts.insert(part, {*block->title, 0, 0});
      ++part->count;
      part->energy_j += joules_per_flop_ * block->flops;
    }
    std::ranges::stable_sort(parts, std::greater<>(), &CostPart::energy_j);
    return {{}, {}, std::move(parts)};
  }

 private:
  const std::vector<const FlopsCost*>& costs_at(std::span<const std::int64_t> widths) {
    return table_.at(widths, [this](const SizedBlock& block) {
      return FlopsCost{block.work.flops, &table_.kind(block).title};
    });
  }

  double flops_at(std::span<const std::int64_t> widths) {
    double flops = 0;
    for (const FlopsCost* block : costs_at(widths)) flops += block->flops;
    return flops;
  }

  CostTable<FlopsCost> table_;
  double joules_per_flop_ = 0;
};

}  // namespace

std::unique_ptr<WidthJudge> make_flops_judge(const Model& original, std::int64_t batch,
                                             double joules_of_original) {
  if (batch < 1)
    throw Error(ErrorCode::usage, fmt::format("a batch has at least one sample, not {}", batch));
  if (!std::isfinite(joules_of_original) || joules_of_original <= 0)
    throw Error(ErrorCode::usage, fmt::format("the original's energy must be above 0, and {} J is "
                                              "not",
                                              joules_of_original));
  return std::make_unique<FlopsJudge>(original, batch, joules_of_original);
}

}  // namespace ampere
