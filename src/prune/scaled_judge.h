// A judge corrected by a measurement of a network close to those it is asked for.
#pragma once

#include <algorithm>

#include "prune/search/width_search.h"

namespace ampere {

struct Correction {
  double energy = 1;     // measured over judged
  double deviation = 1;  // what is left of the standard deviation
  double least = 0;      // of the standard deviation, as a share of the energy
};

class ScaledJudge final : public WidthJudge {
 public:
  ScaledJudge(WidthJudge& judge, const Correction& by) : judge_(judge), by_(by) {}

  std::optional<Judgement> judge(std::span<const std::int64_t> widths) override {
    std::optional<Judgement> cost = judge_.judge(widths);
    if (cost) {
      cost->energy_j *= by_.energy;
      cost->energy_sd =
          std::max(by_.energy * by_.deviation * cost->energy_sd, by_.least * cost->energy_j);
    }
    return cost;
  }

  CostCauses causes(std::span<const std::int64_t> widths) override {
    CostCauses causes = judge_.causes(widths);
    for (CostPart& part : causes.parts) part.energy_j *= by_.energy;
    return causes;
  }

 private:
  WidthJudge& judge_;
  Correction by_;
};

}  // namespace ampere
