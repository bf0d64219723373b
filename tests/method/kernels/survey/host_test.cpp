// What a survey learns of the host: its usual speed, and which kernels wait for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "method/kernels/survey/host_reference.h"
#include "small_networks.h"
#include "support/hosted_rig.h"
#include "support/surveying.h"

namespace ampere {
namespace {

using testing_support::HostedRig;

class SurveyedHost : public testing::Test {
 protected:
  SurveyedHost() { options_.configurations = 70; }

  SurveySummary survey(Rig& rig) {
    return testing_support::survey(std::span(&network_, 1), options_,
                                   {rig, *store_, inference_setup()});
  }
  std::vector<Observation> observed(Purpose purpose) const {
    return store_->find({.profile = profile(), .purpose = purpose});
  }
  std::int64_t profile() const { return store_->profiles().at(0).id; }
  std::optional<double> slowdown() {
    return slowdown_since_survey(rig_, *store_, profile(), inference_setup(), {});
  }
  std::unique_ptr<Estimator> estimator() const {
    return make_kernel_estimator(*store_, profile(), PredictorKind::gp);
  }

  const Model network_ = testing_support::small_network(16, 24);
  const std::string reference_ = model_hash(host_reference());
  SurveyOptions options_;
  std::unique_ptr<Store> store_ = open_store("memory:");
  HostedRig rig_;
};

TEST_F(SurveyedHost, HasAPaceOfEveryNetworkAndOfEverySixteenthKernel) {
  const SurveySummary summary = survey(rig_);
  for (const Observation& network : observed(Purpose::network)) {
    ASSERT_TRUE(network.pace && network.timing);
    EXPECT_EQ(network.pace->reference, reference_);
  }
  const std::vector<Observation> kernels = observed(Purpose::kernel);
  ASSERT_EQ(static_cast<int>(kernels.size()), summary.kernels.measured);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    EXPECT_TRUE(kernels[i].timing) << "the device has a host apart";
    EXPECT_EQ(kernels[i].pace.has_value(), i % 16 == 0);
  }
}

TEST_F(SurveyedHost, IsTheMeanBesideKernelsAndTheLatestOfAll) {
  rig_.slowdown = [](double now) { return 1 + now / 1000; };
  survey(rig_);
  std::vector<double> times;
  for (const Observation& each : observed(Purpose::kernel))
    if (each.pace) times.push_back(each.pace->reference_s);
  ASSERT_GT(times.size(), 3u);
  double sum = 0;
  for (const double time_s : times) sum += time_s;
  const UsualHost host = host_of_survey(*store_, profile()).value();
  EXPECT_EQ(model_hash(host.reference), reference_);
  EXPECT_NEAR(host.reference_s, sum / static_cast<double>(times.size()), 1e-12);
  EXPECT_THAT(host.latest_s, testing::ElementsAreArray(times.end() - 4, times.end()));
  EXPECT_NEAR(host.ready_w, HostedRig::kReadyWatts, 1e-9);
}

TEST_F(SurveyedHost, IsSeenAgainByTheReference) {
  survey(rig_);
  EXPECT_NEAR(slowdown().value(), 1, 1e-12);
  rig_.slowdown = [](double) { return 1.3; };
  rig_.paced.clear();
  EXPECT_NEAR(slowdown().value(), 1.3, 1e-12);
  EXPECT_EQ(rig_.paced, std::vector<std::string>(4, host_reference().name()));
}

TEST_F(SurveyedHost, IsUnknownWhereTheRigShowsNothingOfIt) {
  rig_.shows_host = false;
  survey(rig_);
  EXPECT_TRUE(rig_.paced.empty());
  EXPECT_FALSE(host_of_survey(*store_, profile()));
  EXPECT_FALSE(slowdown());
  EXPECT_FALSE(estimator()->on_host(1.3));
  rig_.shows_host = true;
  EXPECT_FALSE(slowdown()) << "a store of before has no pace to compare with";
}

TEST_F(SurveyedHost, IsNoneOfADeviceThatIsItsOwn) {
  const auto jetson = open_rig("sim:ideal");
  survey(*jetson);
  const std::vector<Observation> kernels = observed(Purpose::kernel);
  EXPECT_EQ(std::ranges::count_if(kernels,
                                  [](const Observation& each) { return each.timing.has_value(); }),
            static_cast<std::int64_t>(kernels.size() + 15) / 16)
      << "timing them would tell nothing";
  EXPECT_FALSE(estimator()->on_host(1.3));
}

TEST_F(SurveyedHost, SlowsWhatWaitsForIt) {
  survey(rig_);
  const auto before = estimator();
  const Estimate usual = before->estimate(network_, {});
  const Estimate same = before->on_host(1)->estimate(network_, {});
  EXPECT_EQ(same.energy_j->mean, usual.energy_j->mean);
  EXPECT_EQ(same.time_s->high, usual.time_s->high);
  rig_.slowdown = [](double) { return 1.5; };
  const Estimate slowed = before->on_host(1.5)->estimate(network_, {});
  EXPECT_NEAR(slowed.time_s->mean / rig_.time_s(network_), 1, 0.03);
  EXPECT_NEAR(slowed.energy_j->mean / rig_.energy_j(network_), 1, 0.03);
  EXPECT_GT(slowed.energy_j->mean, 1.3 * usual.energy_j->mean);
}

// What a network costs more than its kernels is learnt at the speed that the kernels had.
TEST_F(SurveyedHost, IsNoPartOfHowKernelsMakeANetwork) {
  survey(rig_);
  const KernelComposition before = composition_of(*store_, profile()).value();
  const double usual_s = rig_.time_s(network_);
  rig_.slowdown = [](double) { return 1.5; };
  for (const std::int64_t width : {8, 12, 20, 24})
    store_->add(profile(), observe(rig_, testing_support::small_network(width, 24),
                                   inference_setup(), options_.precision));
  EXPECT_EQ(composition_of(*store_, profile())->networks, before.networks)
      << "nobody knows how fast the host was";
  const Model reference = host_reference();
  for (const std::int64_t width : {8, 12, 20, 24})
    store_->add(profile(), observe_with_times(rig_, testing_support::small_network(width, 24),
                                              &reference, inference_setup(), options_.precision));
  EXPECT_EQ(keep_composition(*store_, profile())->networks, before.networks + 4);
  EXPECT_NEAR(estimator()->estimate(network_, {}).time_s->mean / usual_s, 1, 0.12);
}

TEST_F(SurveyedHost, IsWhatThePacesTookToo) {
  survey(rig_);
  const Seconds with = survey_cost(*store_, profile()).seconds;
  double seconds = 0;
  for (const Purpose purpose : {Purpose::kernel, Purpose::fusion, Purpose::overhead})
    for (const Observation& each : observed(purpose)) {
      seconds += each.measurement->elapsed.count();
      if (each.timing) seconds += each.timing->elapsed.count();
      if (each.pace) seconds += each.pace->elapsed.count();
    }
  EXPECT_NEAR(with.count(), seconds, 1e-9);
}

// Stored paces were taken against this very network, and are lost with it.
TEST(HostReference, StaysTheSame) {
  EXPECT_EQ(model_hash(host_reference()), "77dd3fbf015520dd");
  EXPECT_LT(3 * HostedRig::device_s(host_reference()), HostedRig().host_s(host_reference()));
}

}  // namespace
}  // namespace ampere
