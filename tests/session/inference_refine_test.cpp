// Estimates of inference with the device at hand: the host is looked at first.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "ampere/session.h"
#include "support/code_of.h"
#include "support/hosted_rig.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::code_of;
using testing_support::HostedRig;

class RefinedInference : public testing::Test {
 protected:
  SurveySummary survey() {
    SurveyRequest request;
    request.networks = {network_};
    request.options.configurations = 60;
    return session_.kernels(request, device_);
  }

  Answer refine() { return session_.refine(network_, query_, {}, device_); }

  const Model network_ = open_model("squeezenet:size=64");
  const ProfileQuery query_{.setup = inference_setup()};
  HostedRig rig_;
  NamedRig device_{rig_, "test"};
  Session session_{open_store("memory:")};
};

TEST_F(RefinedInference, IsForTheHostAsItIsNow) {
  survey();
  rig_.slowdown = [](double) { return 1.4; };
  const int measured = rig_.measured;
  const Answer before = session_.estimate(network_, query_, {}), answer = refine();
  EXPECT_EQ(answer.method, "kernels");
  EXPECT_NEAR(answer.host_slowdown.value(), 1.4, 1e-9);
  EXPECT_NEAR(answer.estimate.time_s->mean / before.estimate.time_s->mean, 1.4, 0.02);
  EXPECT_NEAR(answer.estimate.energy_j->mean / rig_.energy_j(network_), 1, 0.05);
  EXPECT_EQ(rig_.measured, measured) << "the network itself never runs";
}

TEST_F(RefinedInference, SaysWhereTheHostCouldNotBeLookedAt) {
  survey();
  rig_.shows_host = false;
  const Answer answer = refine();
  EXPECT_FALSE(answer.host_slowdown);
  EXPECT_TRUE(answer.estimate.energy_j);
  EXPECT_THAT(answer.estimate.warnings, testing::Contains(HasSubstr("the host was not looked at")));
}

TEST_F(RefinedInference, LearnsFromRunsAtTheUsualSpeedOfTheHost) {
  const SurveySummary summary = survey();
  rig_.slowdown = [](double) { return 1.4; };
  session_.run(network_, inference_setup(), {}, device_, Learning::yes);
  const Observation run =
      session_.store().find({.profile = summary.profile, .purpose = Purpose::network}).back();
  EXPECT_TRUE(run.pace);
  rig_.paced.clear();
  session_.run(network_, inference_setup(), {}, device_, Learning::no);
  EXPECT_TRUE(rig_.paced.empty()) << "nothing would come of it";
  EXPECT_NEAR(refine().host_slowdown.value(), 1.4, 1e-9) << "the usual host is that of the survey";
}

TEST_F(RefinedInference, TakesASurvey) {
  EXPECT_EQ(code_of([&] { refine(); }), ErrorCode::unknown);
}

}  // namespace
}  // namespace ampere
