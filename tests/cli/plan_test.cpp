// `ampere plan`: whole runs on the shipped profile of an H200.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "base/utc.h"
#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::Cli;
using testing_support::Ran;

const std::string kRun =
    "plan resnet50:size=224 --batch 64 --precision bf16 --epochs 2 --samples 100000 --device h200 "
    "--store sqlite:none.db ";

// Rows from an hour ago on, one per hour.
std::string hourly(const std::string& heading, const std::vector<int>& values) {
  std::string text = "time," + heading + "\n";
  auto at = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()) -
            std::chrono::hours{1};
  for (const int value : values) {
    text += utc_text(at) + "," + std::to_string(value) + "\n";
    at += std::chrono::hours{1};
  }
  return text;
}

TEST(Plan, AddsUpItsStages) {
  const Cli cli;
  const Ran ran = cli.run(kRun +
                          "--validation-samples 5000 --checkpoint-every 1epoch --data-wait 1ms "
                          "--warm-up 30s --compile-time 1min --trials 3 --trial-share 0.5 --carbon "
                          "400 --price 0.3 --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = ran.json();
  EXPECT_EQ(json.at("iterations"), 2 * 1563);
  double energy = 0, time = 0;
  int assumed = 0;
  for (const Json& stage : json.at("stages")) {
    energy += stage.at("energy_j").at("mean").get<double>();
    time += stage.at("time_s").at("mean").get<double>();
    if (stage.at("basis") == "assumed") {
      ++assumed;
      EXPECT_NE(stage.at("assumption"), nullptr) << stage;
    }
  }
  EXPECT_EQ(json.at("stages").size(), 7u);
  EXPECT_EQ(assumed, 6);  // all but the training itself
  EXPECT_DOUBLE_EQ(json.at("energy_j").at("mean"), energy);
  EXPECT_DOUBLE_EQ(json.at("time_s").at("mean"), time);
  EXPECT_DOUBLE_EQ(json.at("carbon_g").at("mean"), energy / 3.6e6 * 400);
  EXPECT_DOUBLE_EQ(json.at("price").at("mean"), energy / 3.6e6 * 0.3);
  EXPECT_LT(json.at("carbon_g").at("low"), json.at("carbon_g").at("high"));
  EXPECT_EQ(json.at("waiting_power_basis"), "estimated");
  EXPECT_GT(json.at("waiting_power_w"), 30);
}

// Training alone is what `estimate` says.
TEST(Plan, TrainsAsEstimateSays) {
  const Cli cli;
  const Json plan = cli.run(kRun + "--json").json();
  const Json estimate =
      cli.run(
             "estimate resnet50:size=224 --batch 64 --precision bf16 --epochs 2 --samples 100000 "
             "--device h200 --store sqlite:none.db --json")
          .json();
  for (const char* end : {"mean", "low", "high"})
    EXPECT_NEAR(
        plan.at("energy_j").at(end).get<double>() / estimate.at("energy_j").at(end).get<double>(),
        1, 1e-9);
}

TEST(Plan, ShowsWhatIsAssumed) {
  const Cli cli;
  const Ran ran = cli.run(kRun + "--validation-samples 5000 --checkpoint-every 500iterations");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("a sample takes 33.3 % of what it takes in training"));
  EXPECT_THAT(ran.out, HasSubstr("10 s each, while the device waits at"));
  EXPECT_THAT(ran.out, HasSubstr("assumed"));
}

TEST(Plan, StartsInTheCleanestHours) {
  const Cli cli;
  cli.write("f.csv", hourly("carbon (g/kWh)", {400, 400, 400, 100, 100, 400, 400, 400}));
  const std::string words = kRun + "--carbon-forecast f.csv --deadline 6h --json ";
  const Json best = cli.run(words + "--start cleanest").json();
  const Json now = cli.run(words).json();
  EXPECT_LT(best.at("carbon_g").at("mean").get<double>(),
            0.3 * now.at("carbon_g").at("mean").get<double>());
  EXPECT_GT(best.at("carbon_g").at("best_start").at("s_from_now"), 3600);
  EXPECT_EQ(best.at("start"), best.at("carbon_g").at("best_start").at("at"));
  // The second answer may come in the next second.
  const Json &a = best.at("carbon_g").at("best_start"), &b = now.at("carbon_g").at("best_start");
  EXPECT_EQ(a.at("at"), b.at("at"));
  EXPECT_EQ(a.at("value"), b.at("value"));
  EXPECT_NEAR(a.at("s_from_now").get<double>(), b.at("s_from_now").get<double>(), 5);
  EXPECT_EQ(now.at("carbon_g").at("unit"), "g/kWh");
}

TEST(Plan, ReadsTheUnitOfAForecast) {
  const Cli cli;
  cli.write("g.csv", "time,carbon (gCO2/kWh)\n0,300\n36000,300\n");
  cli.write("kg.csv", "time,carbon (kgCO2/kWh)\n0,0.3\n36000,0.3\n");
  cli.write("mwh.csv", "time,price (EUR/MWh)\n0,80\n36000,80\n");
  const auto grams = [&](const char* file) {
    const Json json = cli.run(kRun + "--json --carbon-forecast " + file).json();
    EXPECT_EQ(json.at("carbon_g").at("unit"), "gCO2/kWh");
    return json.at("carbon_g").at("mean").get<double>();
  };
  EXPECT_NEAR(grams("kg.csv") / grams("g.csv"), 1, 1e-9);
  const Json plan = cli.run(kRun + "--json --price-forecast mwh.csv").json();
  EXPECT_NEAR(plan.at("price").at("mean").get<double>(),
              plan.at("energy_j").at("mean").get<double>() / 3.6e6 * 0.08, 1e-9);
  EXPECT_EQ(plan.at("price").at("unit"), "EUR/kWh");
  EXPECT_THAT(cli.run(kRun + "--price-forecast mwh.csv").out, HasSubstr(" EUR   (90 % interval"));
  for (const char* words : {"--price-forecast g.csv", "--carbon-forecast mwh.csv"}) {
    const Ran mixed = cli.run(kRun + words);
    EXPECT_EQ(mixed.status, 2) << words;
    EXPECT_THAT(mixed.err, HasSubstr(".csv: the column '")) << words;
  }
}

TEST(Plan, ShortRunsKeepTheirDigitsAndOneFamilyOfUnits) {
  const Cli cli;
  const std::string run =
      "plan resnet18 --batch 64 --epochs 1 --device h200 --store sqlite:none.db --samples ";
  const Ran tiny = cli.run(run + "64");
  ASSERT_EQ(tiny.status, 0) << tiny.err;
  EXPECT_THAT(tiny.out, testing::ContainsRegex("time    [0-9.]+ ms   "));
  EXPECT_THAT(tiny.out, testing::Not(HasSubstr("0 s")));
  const Ran mixed = cli.run(run + "200000 --validation-samples 500");
  ASSERT_EQ(mixed.status, 0) << mixed.err;
  EXPECT_THAT(mixed.out, testing::ContainsRegex("training +3125 +[0-9.]+ Wh"));
  EXPECT_THAT(mixed.out, testing::ContainsRegex("validation +1 +[0-9.]+ mWh"));
}

TEST(Plan, SaysWhatNeverComes) {
  const Cli cli;
  const Ran ran = cli.run(kRun +
                          "--validation-samples 500 --validate-every 3epochs --checkpoint-every "
                          "1000000iterations");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("warning: --validate-every 3epochs never comes in 2 epochs"));
  EXPECT_THAT(ran.out, HasSubstr("warning: --checkpoint-every 1000000iterations never comes"));
}

TEST(Plan, ADeadlineThatCannotHoldSaysWhatWouldHelp) {
  const Cli cli;
  const Ran ran = cli.run(kRun + "--deadline 30s");
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("it would need a deadline at least"));
  EXPECT_THAT(ran.err, HasSubstr("or fewer epochs or trials"));
}

TEST(Plan, AForecastThatEndsTooEarlySaysWhatIsMissing) {
  const Cli cli;
  cli.write("f.csv", hourly("price (EUR/kWh)", {3, 2, 2}));
  const Ran ran = cli.run(
      "plan resnet50:size=224 --batch 64 --epochs 90 --samples 1281167 --device "
      "h200 --store sqlite:none.db --price-forecast f.csv");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("f.csv: the forecast ends in"));
  EXPECT_THAT(ran.err, HasSubstr("are missing"));
  cli.write("g.csv", hourly("price (EUR/kWh)", {3, 2, 3}));
  const Ran cut = cli.run(kRun + "--price-forecast g.csv --deadline 9h --start cheapest");
  EXPECT_EQ(cut.status, 0) << cut.err;
  EXPECT_THAT(cut.out, HasSubstr("g.csv ends before the deadline"));
}

TEST(Plan, ADeadlineThatMayNotHoldIsStatusOne) {
  const Cli cli;
  const Ran ran = cli.run(kRun + "--deadline 1s");
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("the deadline is in"));
}

TEST(Plan, ReadsAFileThatOptionsOverride) {
  const Cli cli;
  cli.write("run.toml", R"(
model = "resnet50:size=224"
batch = 64
precision = "bf16"
epochs = 2
samples = 100000
validation_samples = 5000
checkpoint_every = "1epoch"
device = "h200"
store = "sqlite:none.db"
)");
  const Ran ran = cli.run("plan --from run.toml --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Ran flags = cli.run(kRun + "--validation-samples 5000 --checkpoint-every 1epoch --json");
  EXPECT_EQ(ran.json(), flags.json());
  const Json other = cli.run("plan --from run.toml --epochs 4 --json").json();
  EXPECT_EQ(other.at("epochs"), 4);
}

TEST(Plan, AFileWithAnUnknownKeyIsRefused) {
  const Cli cli;
  cli.write("run.toml", "model = \"resnet18\"\nepoch = 2\n");
  const Ran ran = cli.run("plan --from run.toml");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("run.toml: epoch is not known; did you mean 'epochs'?"));
  cli.write("bad.toml", "model = \"resnet18\"\nepochs = 0\n");
  const Ran bad = cli.run("plan --from bad.toml");
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.err, HasSubstr("bad.toml: "));
  EXPECT_THAT(bad.err, HasSubstr("--epochs"));
}

TEST(Plan, AnUnknownPowerOfTheWaitingDeviceIsAskedFor) {
  const Cli cli;
  const Ran profiled = cli.run(
      "profile cnn5 --batch 32 --timings 60 --networks 8 --rig sim:xavier --store sqlite:s.db");
  ASSERT_EQ(profiled.status, 0) << profiled.err;
  const std::string words =
      "plan cnn5 --batch 32 --epochs 1 --samples 1000 --warm-up 10s --store "
      "sqlite:s.db ";
  const Ran ran = cli.run(words);
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("--waiting-power 100W"));
  const Ran said = cli.run(words + "--waiting-power 5W --json");
  ASSERT_EQ(said.status, 0) << said.err;
  EXPECT_EQ(said.json().at("waiting_power_basis"), "assumed");
}

struct RefusedPlan {
  const char *words, *message;
  int status;
};
class BadPlan : public testing::TestWithParam<RefusedPlan> {};

TEST_P(BadPlan, SaysWhatIsMissing) {
  const Cli cli;
  const Ran ran = cli.run(std::string("plan ") + GetParam().words + " --store sqlite:none.db");
  EXPECT_EQ(ran.status, GetParam().status) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr(GetParam().message));
}
INSTANTIATE_TEST_SUITE_P(
    Cli, BadPlan,
    testing::Values(
        RefusedPlan{"", "plan needs a MODEL", 2},
        RefusedPlan{"resnet18 --device h200", "Give --epochs and --samples", 2},
        RefusedPlan{"resnet18 --epochs 1 --samples 10 --batch 64 --precision bf16",
                    "(`ampere profile resnet18 --batch 64 --precision bf16`); or name a device "
                    "whose profile came with the program, as in --device h200",
                    3},
        RefusedPlan{"resnet18 --epochs 1 --samples 10 --device h200 --compile", "compiled", 3},
        RefusedPlan{"resnet18 --epochs 1 --samples 10 --device h200 --start cleanest",
                    "--carbon-forecast FILE", 2},
        RefusedPlan{"resnet18 --epochs 1 --samples 10 --device h200 --validation-samples 5 "
                    "--validate-every often",
                    "--validate-every: 'often'", 2},
        RefusedPlan{"resnet18 --epochs 1 --samples 10 --device h200 --checkpoint-every 0epochs",
                    "--checkpoint-every: '0epochs'", 2},
        RefusedPlan{"resnet18 --epochs 1 --samples 10 --device h200 --carbon-forecast none.csv",
                    "none.csv", 2},
        RefusedPlan{"resnet18 --epochs 1 --samples 10 --device h200 --carbon-forecast none.csv "
                    "--carbon 400",
                    "--carbon and --carbon-forecast both say it", 2},
        RefusedPlan{"resnet18 --epochs 1 --samples 10 --device h200 --trial-share 0.5",
                    "--trial-share has no effect without --trials", 2},
        RefusedPlan{"resnet18 --epochs 1 --samples 10 --device h200 --checkpoint-time 5s",
                    "--checkpoint-time has no effect without --checkpoint-every", 2},
        RefusedPlan{"resnet18 --epochs 1 --samples 10 --device h200 --validate-every 1epoch",
                    "--validate-every has no effect without --validation-samples", 2},
        RefusedPlan{
            "resnet18 --epochs 1 --samples 10 --device h200 --deadline 2020-01-01T00:00:00Z",
            "has passed", 2},
        RefusedPlan{"--from none.toml", "none.toml", 2}));

}  // namespace
}  // namespace ampere
