// Which profile answers where several could.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "ampere/session.h"
#include "base/json.h"
#include "support/code_of.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::code_of;

class ChoosingAProfile : public testing::Test {
 protected:
  void profile(const std::string& family, const std::string& device, const std::string& spec) {
    const auto rig = open_rig("sim:" + device);
    ProfileRequest request;
    request.models = {open_model(family)};
    request.options.timings = 60;
    request.options.networks = 6;
    session_.profile(request, {*rig, spec});
  }
  void profile(const std::string& family, const std::string& device) {
    profile(family, device, "sim:" + device);
  }

  Answer answer(const std::string& model, const ProfileQuery& query = {}) const {
    return session_.estimate(open_model(model), query, {});
  }
  std::string device_of(const Answer& answer) const { return answer.profile.row.device.name; }

  Session session_{open_store("memory:")};
};

TEST_F(ChoosingAProfile, AnEmptyOneHidesNoOther) {
  profile("lenet5", "server");
  const auto oppo = open_rig("sim:oppo");
  session_.run(open_model("lenet5"), {}, {}, {*oppo, "sim:oppo"}, Learning::no);
  ASSERT_EQ(session_.store().profiles().size(), 2u);
  const Answer found = answer("lenet5");
  EXPECT_TRUE(found.estimate.uncovered.empty());
  EXPECT_THAT(device_of(found), HasSubstr("server"));
  EXPECT_THAT(found.estimate.warnings, IsEmpty()) << "no other could";
}

TEST_F(ChoosingAProfile, OneThatCoversTheNetworkIsPreferred) {
  profile("lenet5", "server");
  profile("lstm", "xavier");
  EXPECT_THAT(device_of(answer("lenet5")), HasSubstr("server"));
  EXPECT_THAT(device_of(answer("lstm")), HasSubstr("Xavier"));
  EXPECT_FALSE(answer("har").estimate.uncovered.empty());
  const auto answerer = session_.answerer({});
  EXPECT_THAT(device_of(answerer->answer(open_model("lenet5"), {})), HasSubstr("server"));
  EXPECT_THAT(device_of(answerer->answer(open_model("lstm"), {})), HasSubstr("Xavier"));
}

TEST_F(ChoosingAProfile, ThisMachineComesFirst) {
  profile("lenet5", "server", "cpu");
  profile("lenet5", "xavier");
  const Answer found = answer("lenet5");
  EXPECT_THAT(device_of(found), HasSubstr("server"));
  EXPECT_THAT(found.estimate.warnings,
              ElementsAre(testing::AllOf(HasSubstr("profile 1 (simulated GPU server"),
                                         HasSubstr("profile 2 (simulated Jetson Xavier"))));
}

TEST_F(ChoosingAProfile, MeasuredComesBeforeSimulated) {
  profile("lenet5", "server");
  Json measured = Json::parse(export_profile(session_.store(), 1));
  measured["device"]["source"] = "measured";
  measured["device"]["name"] = "a real one";
  for (Json& observation : measured["observations"]) observation["device"] = measured["device"];
  import_profile(session_.store(), measured.dump(), "measured.json");
  profile("lenet5", "xavier");
  EXPECT_EQ(device_of(answer("lenet5")), "a real one");
}

TEST_F(ChoosingAProfile, AnImportedOneIsNotOfThisMachine) {
  profile("lenet5", "server", "cpu");
  const std::string other = export_profile(session_.store(), 1);
  Session here(open_store("memory:"));
  import_profile(here.store(), other, "other.json");
  EXPECT_EQ(here.store().profiles().at(0).rig, "imported:cpu");
}

TEST_F(ChoosingAProfile, ARigIsTheDeviceBehindIt) {
  profile("lenet5", "server", "local");
  EXPECT_THAT(device_of(answer("lenet5", {.rig = "sim:server"})), HasSubstr("server"));
  EXPECT_THAT(device_of(answer("lenet5", {.rig = "local"})), HasSubstr("server"));
  EXPECT_EQ(code_of([&] { answer("lenet5", {.rig = "sim:oppo"}); }), ErrorCode::unknown);
}

TEST_F(ChoosingAProfile, OnlyOneThatKnowsTheMethodAnswersByIt) {
  profile("lenet5", "server");
  profile("lenet5", "xavier");
  ProfileRequest request;
  request.models = {open_model("lenet5")};
  request.method = "ampere";
  request.options.points = 4;
  const auto oppo = open_rig("sim:oppo");
  session_.profile(request, {*oppo, "sim:oppo"});
  profile("lenet5", "tx2");
  EXPECT_THAT(device_of(answer("lenet5", {.method = "ampere"})), HasSubstr("phone"));
}

}  // namespace
}  // namespace ampere
