// Inference on a device whose host changes, by the real program: a survey at the usual speed, then
// questions while the host is slower. The device is a formula, served by the fake runner.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_support::Cli;
using testing_support::Ran;

constexpr const char* kInference = "estimate squeezenet:size=64 --mode inference ";
constexpr const char* kEvaluation =
    "evaluate squeezenet --mode inference --networks 4 --methods kernels ";

class HostAtInference : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    cli_ = new Cli;
    const Ran survey = ask("kernels measure squeezenet --configurations 80 ", hosted(1));
    ASSERT_EQ(survey.status, 0) << survey.err;
    std::filesystem::copy_file(cli_->path("s.db"), cli_->path("survey.db"));
  }
  static void TearDownTestSuite() { delete cli_; }

  static std::string hosted(double slowdown) {
    return "\"cmd:$FAKE_RUNNER hosted " + std::to_string(slowdown) + "\"";
  }
  static Ran ask(const std::string& words, const std::string& rig,
                 const std::string& store = "s.db") {
    return cli_->shell("ampere " + words + " --rig " + rig + " --store sqlite:" + store);
  }
  static double time_of(const Ran& ran) {
    EXPECT_EQ(ran.status, 0) << ran.err;
    return ran.json().at("time_s").at("mean");
  }

  static Cli* cli_;
};
Cli* HostAtInference::cli_ = nullptr;

TEST_F(HostAtInference, IsLookedAtByRefine) {
  const std::string words = std::string(kInference) + "--refine";
  const Ran usual = ask(words + " --json", hosted(1)), slow = ask(words + " --json", hosted(1.4));
  EXPECT_NEAR(time_of(slow) / time_of(usual), 1.4, 0.02);
  EXPECT_NEAR(slow.json().at("host_slowdown").get<double>(), 1.4, 1e-6);
  EXPECT_THAT(ask(words, hosted(1.4)).out,
              HasSubstr("the host now takes 1.40 times as long as when it was profiled; the "
                        "estimate accounts for it\n"));
}

TEST_F(HostAtInference, IsNotLookedAtUnasked) {
  const Ran ran = ask(kInference, hosted(1.4));
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, Not(HasSubstr("the host now takes")));
}

TEST_F(HostAtInference, IsInAnEvaluationAsItIsInOneOfTraining) {
  const Ran ran = ask(std::string(kEvaluation) + "--json --record r.jsonl.gz", hosted(1.3));
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = ran.json(), kernels = json.at("methods").at("kernels");
  EXPECT_NEAR(json.at("host_drift").get<double>(), 0.3, 1e-6);
  EXPECT_LT(kernels.at("at_hand").at("mape").get<double>(), 0.5 * kernels.at("mape").get<double>());
  EXPECT_LT(kernels.at("steady_host").at("mape").get<double>(),
            0.5 * kernels.at("mape").get<double>());
  const std::string table = ask(kEvaluation, hosted(1.3)).out;
  EXPECT_THAT(table, HasSubstr("kernels, at hand"));
  EXPECT_THAT(table, HasSubstr("host drift"));
  EXPECT_THAT(table, HasSubstr("steady host"));

  const Ran again = ask(std::string(kEvaluation) + "--json", "recorded:r.jsonl.gz", "survey.db");
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.json().at("methods"), json.at("methods")) << "a recording has its paces, too";
  EXPECT_EQ(again.json().at("networks"), json.at("networks"));
}

TEST(HostAtInferenceOfASimulatedDevice, CannotBeLookedAtAndThatIsSaid) {
  const Cli cli;
  const Ran survey = cli.run(
      "kernels measure cnn5 --configurations 60 --rig sim:server --store sqlite:s.db --json");
  ASSERT_EQ(survey.status, 0) << survey.err;
  const Ran ran =
      cli.run("estimate cnn5 --mode inference --refine --rig sim:server --store sqlite:s.db");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("warning: the host was not looked at"));
}

}  // namespace
}  // namespace ampere
