#include "method/proxies/gather.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "method/proxies/proxies.h"
#include "support/law_rig.h"
#include "support/profiling.h"

namespace ampere {
namespace {

using testing_support::additive_law;
using testing_support::LawRig;

// Half a second a measurement.
std::vector<Observation> gather(const std::vector<Model>& networks, double budget_s) {
  LawRig rig(additive_law);
  const auto store = open_store("memory:");
  ProfileOptions options;
  options.measuring_budget = Seconds{budget_s};
  std::vector<Observation> gathered;
  const auto plan = gather_layers(networks, options, {}, [&](std::span<const Observation> layers) {
    gathered.assign(layers.begin(), layers.end());
    return std::unique_ptr<Estimator>();
  });
  const testing_support::TestBench bench{rig, *store};
  bench.campaign().run(*plan);
  plan->fitted();
  return gathered;
}

std::size_t type_of(const Model& layer) { return layer.output().op.index(); }

// Each layer once, however many phases of it were measured.
std::vector<Model> layers_of(const std::vector<Observation>& observations) {
  std::vector<Model> layers;
  for (const Observation& observation : observations)
    if (layers.empty() || model_hash(layers.back()) != model_hash(observation.model))
      layers.push_back(observation.model);
  return layers;
}

std::set<std::size_t> types_of(const std::vector<Model>& networks) {
  std::set<std::size_t> types;
  for (const Model& network : networks) {
    const std::vector<Model> layers = layers_alone(network);
    for (const Model& layer : layers) types.insert(type_of(layer));
  }
  return types;
}

TEST(GatherLayers, SeesEveryTypeBeforeASecondOneOfAny) {
  for (const char* family : {"cnn5", "lstm", "transformer", "resnet18"}) {
    const std::vector<Model> networks{open_model(family), open_model("lenet5")};
    const std::vector<Model> layers = layers_of(gather(networks, 1e6));
    const std::size_t types = types_of(networks).size();
    ASSERT_GT(layers.size(), types) << family;
    ASSERT_GT(types, 2u) << family;
    std::set<std::size_t> first;
    for (std::size_t i = 0; i < types; ++i) first.insert(type_of(layers[i]));
    EXPECT_EQ(first, types_of(networks)) << family;
  }
}

TEST(GatherLayers, GoesOnByTurnsUntilATypeHasNoMore) {
  const std::vector<Model> networks{open_model("resnet18")};
  const std::vector<Model> layers = layers_of(gather(networks, 1e6));
  std::map<std::size_t, int> total, seen;
  for (const Model& layer : layers) ++total[type_of(layer)];
  for (const Model& layer : layers) {
    const int turn = seen[type_of(layer)]++;
    for (const auto& [type, count] : total)
      EXPECT_GE(seen[type], std::min(turn, count)) << "before turn " << turn;
  }
}

TEST(GatherLayers, MeasuresEachDifferentLayerOnce) {
  const std::vector<Model> once = layers_of(gather({open_model("cnn5")}, 1e6)),
                           twice = layers_of(gather({open_model("cnn5"), open_model("cnn5")}, 1e6));
  EXPECT_EQ(twice.size(), once.size());
  std::set<std::string> hashes;
  for (const Model& layer : twice) hashes.insert(model_hash(layer));
  EXPECT_EQ(hashes.size(), twice.size());
}

TEST(GatherLayers, BeginsNothingPastTheBudget) {
  EXPECT_TRUE(gather({open_model("cnn5")}, 0).empty());
  const std::vector<Model> layers = layers_of(gather({open_model("cnn5")}, 0.6));
  EXPECT_LE(layers.size(), 2u);
  EXPECT_GE(layers.size(), 1u);
}

}  // namespace
}  // namespace ampere
