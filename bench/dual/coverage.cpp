// How often the 90 % interval of the dual model holds what was measured, from a recording of an
// evaluation:
//   dual_coverage RECORDING FAMILY BATCH NETWORKS [SEED]
// Prints a row for estimates made beforehand and one for those at hand: MAPE, coverage of the mean
// of both visits and of single visits, and the mean width of the interval to either side. In
// between the same for a host at the speed of the profile.
#include <fmt/format.h>

#include <cmath>

#include "replay.h"

namespace ampere {
namespace {

struct Singles {
  int inside = 0, visits = 0;
  double width = 0;  // relative

  void add(const Interval& predicted, double measured) {
    ++visits;
    inside += predicted.low <= measured && measured <= predicted.high ? 1 : 0;
    width += (predicted.high - predicted.mean) / predicted.mean;
  }
};

void print(const char* name, const std::optional<Accuracy>& accuracy, const Singles& singles) {
  if (!accuracy) return;
  fmt::print("{:<14}{:>7.2f} %{:>11.1f} %", name, 100 * accuracy->mape,
             100 * accuracy->coverage.value_or(NAN));
  if (singles.visits > 0)
    fmt::print("{:>9.1f} %{:>9.1f} %", 100.0 * singles.inside / singles.visits,
               100 * singles.width / singles.visits);
  fmt::print("\n");
}

void run(const Replayed& replayed) {
  Singles beforehand, at_hand;
  for (const EvaluatedNetwork& network : replayed.evaluation.networks)
    for (std::size_t visit = 0; visit < network.measurements.size(); ++visit) {
      const double measured = network.measurements[visit].energy_j.mean;
      beforehand.add(network.estimates.at("dual").energy_j.value(), measured);
      if (visit < network.at_hand.size() && network.at_hand[visit])
        at_hand.add(network.at_hand[visit]->energy_j.value(), measured);
    }
  const MethodScore dual = score(replayed.evaluation).methods.at("dual");
  fmt::print("{:<14}{:>9}{:>13}{:>11}{:>11}\n", "", "MAPE", "coverage", "single", "width");
  print("beforehand", dual.energy, beforehand);
  print("steady host", dual.steady, {});
  print("at hand", dual.at_hand, at_hand);
  const DualModel model = fit_dual(replayed.data);
  fmt::print("infl {:.2f} {:.2f} at_hand {:.2f} {:.2f} check {:.3f}\n", model.inflation.energy,
             model.inflation.time, model.at_hand.energy, model.at_hand.time,
             model.check.energy_mape);
}

}  // namespace
}  // namespace ampere

int main(int argc, char** argv) { return ampere::run_on_recording(argc, argv, ampere::run); }
