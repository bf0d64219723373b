// What each piece of the dual model is worth, from a recording of an evaluation:
//   dual_ablation RECORDING FAMILY BATCH NETWORKS
// Prints a row for the whole model and for every model that lacks one piece: MAPE of the energy as
// it was measured, and with the host at the speed of the profile.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "ampere/dual_profile.h"
#include "ampere/error.h"
#include "ampere/evaluation_run.h"
#include "dual/dual_model.h"
#include "profile/dual_store.h"

namespace ampere {
namespace {

// As in bench/evaluate/settings.
constexpr unsigned kSeed = 11;
constexpr int kTimings = 400, kNetworks = 18;

struct Piece {
  std::string without;
  std::function<void(DualData&)> from_data;    // before the fit
  std::function<void(DualModel&)> from_model;  // after it
};

// The geometric mean of a kind for each of its blocks.
void level_host_times(DualData& data) {
  for (auto& [kind, points] : data.timings) {
    double sum = 0;
    for (const TimedPoint& point : points) sum += std::log(point.host_s.value());
    for (TimedPoint& point : points)
      point.host_s = std::exp(sum / static_cast<double>(points.size()));
  }
}

void drop_trees(DualModel& model) {
  for (auto& [kind, map] : model.maps) {
    TimeMap::Parts parts = map.parts();
    parts.trees_weight = 0;
    map = TimeMap(std::move(parts));
  }
}

void keep_blocks(DualData& data, const std::function<bool(std::size_t)>& wanted) {
  std::erase_if(data.networks,
                [&](const NetworkRecord& record) { return !wanted(record.blocks.size()); });
}

std::vector<Piece> pieces() {
  const auto nothing_of_data = [](DualData&) {};
  const auto nothing_of_model = [](DualModel&) {};
  return {
      {"nothing: the whole model", nothing_of_data, nothing_of_model},
      {"the pace against the reference",
       [](DualData& data) {
         for (NetworkRecord& record : data.networks) record.pace.reset();
       },
       nothing_of_model},
      {"host times by width: one for each kind", level_host_times, nothing_of_model},
      {"the host: T = d", nothing_of_data, [](DualModel& model) { model.time.synchronous = true; }},
      {"the trees of the time maps", nothing_of_data, drop_trees},
      {"the process of the power", nothing_of_data,
       [](DualModel& model) { model.energy.process.variance = 0; }},
      {"the idle window", [](DualData& data) { data.idle.reset(); }, nothing_of_model},
      {"whole networks under the meter",
       [](DualData& data) { keep_blocks(data, [](std::size_t n) { return n <= 3; }); },
       nothing_of_model},
      {"small networks under the meter",
       [](DualData& data) { keep_blocks(data, [](std::size_t n) { return n > 3; }); },
       nothing_of_model},
  };
}

Scores score_with(const Piece& piece, DualData data, Evaluation evaluation) {
  piece.from_data(data);
  DualModel model = fit_dual(data);
  piece.from_model(model);
  for (EvaluatedNetwork& network : evaluation.networks) {
    const DualPrediction predicted =
        predict(model, map_network(terms_of(network.model, evaluation.setup), model.maps));
    network.estimates["dual"].energy_j = Predicted{predicted.energy_j, {}, {}};
    network.estimates["dual"].time_s = Predicted{predicted.time.time_s, {}, {}};
  }
  return score(evaluation);
}

void run(const std::string& recording, const std::string& family, std::int64_t batch,
         int networks) {
  const auto rig = open_rig("recorded:" + recording);
  const auto store = open_store("memory:");
  ampere::Setup setup;
  setup.batch = batch;
  EvaluationOptions options;
  options.methods = {"dual"};
  options.seed = kSeed;
  options.dual.timings = kTimings;
  options.dual.networks = kNetworks;
  const EvaluationProgress silent{[](const auto&) {}, [](const auto&) {}, [](const auto&) {},
                                  [](const auto&) {}};
  const Evaluation evaluation = run_evaluation(family_task(family, networks, kSeed), *rig,
                                               "recorded", *store, setup, options, silent);
  const std::int64_t profile = store->profiles().front().id;
  const DualData data = data_of(
      {setup, store->timings(profile), store->find({profile, "", {}}), find_idle(*store, profile)});
  fmt::print("{}, batch {}\n{:<44}{:>8}{:>13}\n", family, batch, "without", "MAPE", "steady host");
  for (const Piece& piece : pieces()) try {
      const MethodScore of = score_with(piece, data, evaluation).methods.at("dual");
      fmt::print("{:<44}{:>6.1f} %{:>11.1f} %\n", piece.without, 100 * of.energy->mape,
                 of.steady ? 100 * of.steady->mape : NAN);
    } catch (const Error& error) {
      fmt::print("{:<44} cannot be fitted: {}\n", piece.without, error.what());
    }
}

}  // namespace
}  // namespace ampere

int main(int argc, char** argv) try {
  if (argc != 5) {
    fmt::print(stderr, "usage: dual_ablation RECORDING FAMILY BATCH NETWORKS\n");
    return 2;
  }
  ampere::run(argv[1], argv[2], std::atoll(argv[3]), std::atoi(argv[4]));
} catch (const std::exception& error) {
  fmt::print(stderr, "dual_ablation: {}\n", error.what());
  return 1;
}
