// One profile of several families of networks: each has laws of its own.
#include "method/dual/families.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ampere/block.h"
#include "ampere/error.h"
#include "base/json.h"
#include "method/dual/dual_method.h"
#include "method/dual/models.h"
#include "model/draw.h"
#include "rig/sim.h"
#include "support/profiling.h"

namespace ampere {
namespace {

NetworkRecord made_of(const std::vector<std::string>& kinds) {
  NetworkRecord network;
  for (const std::string& kind : kinds)
    network.blocks.push_back({kind, {static_cast<std::int64_t>(network.blocks.size())}});
  return network;
}

std::vector<NetworkRecord> repeated(const std::vector<std::string>& kinds, int count) {
  std::vector<NetworkRecord> networks;
  for (int i = 0; i < count; ++i) {
    networks.push_back(made_of(kinds));
    networks.back().blocks.front().features = {100 + i};
  }
  return networks;
}

std::vector<NetworkRecord> together(const std::vector<std::vector<NetworkRecord>>& parts) {
  std::vector<NetworkRecord> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

TEST(Families, ShareOnlyTheirFirstAndLastKinds) {
  const auto families =
      families_of(together({repeated({"input: a", "hidden: b", "hidden: c", "output: z"}, 5),
                            repeated({"input: a", "hidden: d", "output: z"}, 5)}));
  ASSERT_EQ(families.size(), 2u);
  EXPECT_EQ(families[0].hidden, (Kinds{"hidden: b", "hidden: c"}));
  EXPECT_THAT(families[0].networks, testing::ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(families[1].networks, testing::ElementsAre(5, 6, 7, 8, 9));
}

TEST(Families, HaveTheirShallowAndSmallNetworksWithThem) {
  const auto families =
      families_of(together({repeated({"input: a", "hidden: b", "output: x"}, 2),
                            repeated({"input: a", "hidden: b", "hidden: c", "output: z"}, 3),
                            repeated({"input: a", "output: y"}, 1)}));
  ASSERT_EQ(families.size(), 1u);
  EXPECT_EQ(families[0].networks.size(), 6u);
}

TEST(Families, AreOneWhereMostKindsAreShared) {
  EXPECT_EQ(families_of(together({repeated({"hidden: b", "hidden: c", "hidden: d"}, 4),
                                  repeated({"hidden: c", "hidden: d", "hidden: e"}, 4)}))
                .size(),
            1u);
  EXPECT_EQ(families_of(together({repeated({"hidden: b", "hidden: c"}, 4),
                                  repeated({"hidden: c", "hidden: e"}, 4)}))
                .size(),
            2u);
}

// A small network that could be either's is in both.
TEST(Families, MayShareANetwork) {
  const auto families =
      families_of(together({repeated({"hidden: b", "hidden: c"}, 4),
                            repeated({"hidden: c", "hidden: e"}, 4), repeated({"hidden: c"}, 1)}));
  ASSERT_EQ(families.size(), 2u);
  for (const Family& family : families) EXPECT_EQ(family.networks.size(), 5u);
}

TEST(Families, WithTooFewNetworksBorrowOthers) {
  const auto families =
      families_of(together({repeated({"hidden: b"}, 200), repeated({"hidden: c"}, 2)}));
  ASSERT_EQ(families.size(), 2u);
  EXPECT_EQ(families[0].networks.size(), 200u);
  EXPECT_EQ(families[1].networks.size(), 62u);
  EXPECT_TRUE(std::ranges::is_sorted(families[1].networks));
}

TEST(Families, TheSmallestThatKnowsAllKindsAnswers) {
  const std::vector<Kinds> families{{"b", "c", "d"}, {"c", "d"}, {"e"}};
  EXPECT_EQ(find_family(families, {"c"}), 1u);
  EXPECT_EQ(find_family(families, {"b", "d"}), 0u);
  EXPECT_EQ(find_family(families, {"b", "e"}), std::nullopt);
}

class ProfileOfFamilies : public testing::Test {
 protected:
  ProfileOfFamilies() {
    options_.timings = 80;
    options_.networks = 8;
  }

  ProfileSummary profile(const std::string& family) {
    watcher_.seen.clear();
    return testing_support::profile(*method_, {{open_model(family)}, draw_networks(family, 60, 3)},
                                    options_, {*rig_, *store_, {}, &stop_, &watcher_});
  }

  // Titles of what was fitted.
  std::vector<std::string> fitted() const {
    std::vector<std::string> titles;
    for (const Progress& now : watcher_.seen)
      if (now.step == "models fitted") titles.push_back(now.title);
    return titles;
  }

  Estimate estimate(const Model& network) const {
    return method_->load(*store_, row())->estimate(network, {});
  }
  double energy(const Model& network) const {
    return estimate(network).energy_j_per_iteration.value().mean;
  }
  ProfileRow row() const { return store_->profiles().at(0); }

  std::unique_ptr<Store> store_ = open_store("memory:");
  const std::unique_ptr<Rig> rig_ = open_sim_rig("server", 1);
  ProfileOptions options_;
  const std::unique_ptr<Method> method_ = make_dual_method();
  testing_support::Watcher watcher_;
  std::atomic<bool> stop_{false};
};

TEST_F(ProfileOfFamilies, OneMoreFamilyChangesNoEstimateOfTheOthers) {
  profile("lstm");
  const std::vector<Model> networks = draw_networks("lstm", 10, 77);
  std::vector<double> before;
  for (const Model& network : networks) before.push_back(energy(network));
  EXPECT_THAT(fitted(), testing::Contains("laws"));
  profile("har");
  EXPECT_THAT(fitted(), testing::Each(testing::Not(testing::HasSubstr("lstm"))))
      << "only the new family was fitted";
  for (std::size_t i = 0; i < networks.size(); ++i) EXPECT_EQ(energy(networks[i]), before[i]);
  for (const Model& network : draw_networks("har", 10, 77))
    EXPECT_TRUE(estimate(network).uncovered.empty());
}

TEST_F(ProfileOfFamilies, NothingNewMeansNothingIsFitted) {
  profile("lstm");
  profile("har");
  const auto documents = [&] {
    std::map<std::string, std::string> texts;
    for (const StoredDocument& document : store_->documents(row().id))
      texts[document.name] = document.text;
    return texts;
  };
  const auto before = documents();
  const ProfileSummary summary = profile("lstm");
  EXPECT_THAT(fitted(), testing::IsEmpty());
  ASSERT_TRUE(summary.cross_validated) << "it is still known";
  EXPECT_EQ(documents(), before);
}

TEST_F(ProfileOfFamilies, FittingStopsWhenAskedAndGoesOnLater) {
  watcher_.on_progress = [&](const Progress& now) {
    if (now.step == "models fitted") stop_ = true;
  };
  EXPECT_THROW(profile("lstm"), Error);
  EXPECT_FALSE(has_dual(*store_, row().id));
  stop_ = false;
  watcher_.on_progress = {};
  const ProfileSummary summary = profile("lstm");
  EXPECT_EQ(summary.measured + summary.timed, 0) << "everything measured was kept";
  EXPECT_TRUE(has_dual(*store_, row().id));
}

// cnn5 with a hidden linear layer, as lenet5 has them.
Model cnn5_with_linear() {
  Json json = Json::parse(to_json(open_model("cnn5:12,20,24,28")));
  Json& layers = json.at("layers");
  Json output = layers.back();
  layers.back() = {{"name", "more"}, {"op", "linear"}, {"out_features", 100}};
  layers.push_back({{"name", "more.relu"}, {"op", "relu"}});
  output.erase("inputs");  // the layer before
  layers.push_back(output);
  return parse_model(json.dump(), "cnn5 with linear");
}

TEST_F(ProfileOfFamilies, ANetworkAcrossFamiliesHasLawsThatAreFittedToBoth) {
  profile("cnn5");
  profile("lenet5");
  const Model across = cnn5_with_linear();
  const ModelFor models = stored_models(*store_, row().id, row().setup);
  const SharedDualModel own = models(kinds_of(open_model("cnn5"))), both = models(kinds_of(across));
  EXPECT_FALSE(own->hidden.contains("hidden: input flat c_in; linear c_out; relu"));
  EXPECT_TRUE(std::ranges::includes(both->hidden, hidden_kinds(kinds_of(across))));
  EXPECT_GT(both->energy.seen.size(), own->energy.seen.size());
  EXPECT_EQ(models(kinds_of(across)), both) << "fitted once";
  const double truth = sim_true_energy("server", across, {}).value;
  EXPECT_NEAR(energy(across), truth, 0.2 * truth);
}

}  // namespace
}  // namespace ampere
