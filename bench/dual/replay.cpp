#include "replay.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "evaluate/evaluation.h"
#include "method/dual/dual_method.h"
#include "method/dual/dual_profile.h"

namespace ampere {
namespace {

// As in bench/evaluate/settings.
constexpr const char* kSeed = "11";
constexpr int kTimings = 400, kNetworks = 18;

}  // namespace

Replayed replay(const std::string& recording, const std::string& family, std::int64_t batch,
                int networks, unsigned seed) {
  const auto rig = open_rig("recorded:" + recording);
  const auto store = open_store("memory:");
  Setup setup;
  setup.batch = batch;
  EvaluationOptions options;
  options.methods = {"dual"};
  options.seed = seed;
  options.profile.timings = kTimings;
  options.profile.networks = kNetworks;
  Listener silent;
  const auto method = make_dual_method();
  Evaluation evaluation = run_evaluation(family_task(family, networks, seed), {method.get()},
                                         options, {*rig, "recorded", *store, setup, {}, silent});
  return {std::move(evaluation),
          data_of(dual_evidence(*store, store->profiles().front().id, setup))};
}

MethodScore score_of(const DualModel& model, Evaluation evaluation) {
  for (EvaluatedNetwork& network : evaluation.networks) {
    const DualPrediction predicted =
        predict(model, map_network(terms_of(network.model, evaluation.setup), model.maps));
    network.estimates["dual"].energy_j = point(predicted.energy_j);
    network.estimates["dual"].time_s = point(predicted.time.time_s);
  }
  return score(evaluation).methods.at("dual");
}

std::string errors_text(const MethodScore& score) {
  return fmt::format("{:>6.1f} %{:>11.1f} %", 100 * score.energy->mape,
                     score.steady ? 100 * score.steady->mape : NAN);
}

int run_on_recording(int argc, char** argv, void (*run)(const Replayed& replayed)) try {
  if (argc != 5 && argc != 6) {
    fmt::print(stderr, "usage: {} RECORDING FAMILY BATCH NETWORKS [SEED]\n", argv[0]);
    return 2;
  }
  fmt::print("{}, batch {}\n", argv[2], argv[3]);
  const auto seed = static_cast<unsigned>(std::atoi(argc == 6 ? argv[5] : kSeed));
  run(replay(argv[1], argv[2], std::atoll(argv[3]), std::atoi(argv[4]), seed));
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}: {}\n", argv[0], error.what());
  return 1;
}

}  // namespace ampere
