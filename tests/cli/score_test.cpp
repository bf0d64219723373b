// Scores of devices, by the real program on simulated ones and on runners written as scripts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_support::Cli;
using testing_support::Ran;

constexpr const char* kNetworks = "lenet5 cnn5 har lstm";

std::string on(const std::string& rig, const std::string& arguments = kNetworks) {
  return "score " + arguments + " --rig " + rig + " --store sqlite:s.db --json";
}

Json device_of(const Json& json, const std::string& name) {
  for (const Json& device : json.at("devices"))
    if (device.at("device").get<std::string>().find(name) != std::string::npos) return device;
  return {};
}

// What the page on scores says, from the cells alone.
double by_formula(const Json& json, const std::string& of, const std::string& reference,
                  const char* cost) {
  std::map<std::string, double> here, there;
  for (const Json& cell : json.at("cells")) {
    const std::string device = cell.at("device"), network = cell.at("network");
    if (device.find(of) != std::string::npos) here[network] = cell.at(cost);
    if (device.find(reference) != std::string::npos) there[network] = cell.at(cost);
  }
  double logs = 0;
  for (const auto& [network, value] : here) logs += std::log(there.at(network) / value);
  return 100 * std::exp(logs / static_cast<double>(here.size()));
}

TEST(Score, OfTwoDevicesIsByTheFormula) {
  const Cli cli;
  ASSERT_EQ(cli.run(on("sim:oppo")).status, 0);
  const Ran ran = cli.run(on("sim:xavier"));
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = ran.json(), xavier = device_of(json, "Xavier"), oppo = device_of(json, "OPPO");
  EXPECT_EQ(json.at("reference"), "simulated OPPO phone");
  EXPECT_DOUBLE_EQ(oppo.at("iecs").at("value").get<double>(), 100);
  EXPECT_NEAR(xavier.at("iecs").at("value").get<double>(),
              by_formula(json, "Xavier", "OPPO", "energy_j"), 1e-9);
  EXPECT_NEAR(xavier.at("pcs").at("value").get<double>(),
              by_formula(json, "Xavier", "OPPO", "power_w"), 1e-9);
  EXPECT_EQ(xavier.at("iecs").at("shared_cells"), 4);
  EXPECT_EQ(xavier.at("sources"), Json::array({"simulated"}));
  const Json other = cli.run(
                            "score --list --reference 'simulated Jetson Xavier' --json "
                            "--store sqlite:s.db")
                         .json();
  EXPECT_NEAR(device_of(other, "OPPO").at("iecs").at("value").get<double>() *
                  xavier.at("iecs").at("value").get<double>(),
              1e4, 1e-6);
}

TEST(Score, MeasuresNothingTwiceUnlessAsked) {
  const Cli cli;
  EXPECT_EQ(cli.run(on("sim:server")).json().at("measured"), 4);
  const Ran again = cli.run(on("sim:server"));
  EXPECT_EQ(again.json().at("measured"), 0);
  EXPECT_EQ(cli.run(on("sim:server") + " --afresh").json().at("measured"), 4);
  EXPECT_EQ(cli.run(on("sim:server", "resnet18")).json().at("measured"), 1);
}

TEST(Score, WithTooFewCellsIsNoneAndSaysWhich) {
  const Cli cli;
  ASSERT_EQ(cli.run(on("sim:oppo")).status, 0);
  const Ran ran = cli.run(on("sim:xavier", "lenet5"));
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json iecs = device_of(ran.json(), "Xavier").at("iecs");
  EXPECT_TRUE(iecs.at("value").is_null());
  EXPECT_THAT(iecs.at("reason").get<std::string>(), HasSubstr("has 1 cells in common"));
  EXPECT_EQ(iecs.at("missing_cells").size(), 3u);
  EXPECT_EQ(iecs.at("missing_cells")[0].at("network"), "cnn5");
  EXPECT_EQ(iecs.at("missing_cells")[0].at("reason"), "not measured");
  const Ran table = cli.run("score --list --explain --store sqlite:s.db");
  EXPECT_THAT(table.out, HasSubstr("no IECS of simulated Jetson Xavier: it has 1 cells in common"));
  EXPECT_THAT(table.out, HasSubstr("cnn5 device: left out, not measured"));
  EXPECT_THAT(table.out, HasSubstr("exp( 1/|S| sum over S of ln(E_R / E) )"));
}

TEST(Score, NeverMixesSourcesSilently) {
  const Cli cli;
  ASSERT_EQ(cli.run(on("sim:oppo")).status, 0);
  cli.write("measured.csv",
            "device,delegate,network,energy_j,power_w\nphone,device,lenet5,1,2\n"
            "phone,device,cnn5,1,2\nphone,device,har,1,2\n");
  const Ran silent = cli.run("score --import measured.csv --store sqlite:s.db");
  EXPECT_EQ(silent.status, 2);
  EXPECT_THAT(silent.err, HasSubstr("(--source)"));
  const Ran apart = cli.run("score --import measured.csv --source measured --store sqlite:s.db");
  EXPECT_EQ(apart.status, 0) << apart.err;
  EXPECT_THAT(apart.out, HasSubstr("--mix compares them nevertheless"));
  const Json mixed = cli.run("score --list --mix --store sqlite:s.db --json").json();
  EXPECT_GT(device_of(mixed, "phone").at("iecs").at("value").get<double>(), 0);
  EXPECT_EQ(mixed.at("mixed_sources"), true);
}

TEST(Score, ExportsWhatImportsAgain) {
  const Cli cli;
  ASSERT_EQ(cli.run(on("sim:oppo")).status, 0);
  ASSERT_EQ(cli.run(on("sim:xavier")).status, 0);
  const Ran out = cli.run("score --export cells.csv --store sqlite:s.db --json");
  ASSERT_EQ(out.status, 0) << out.err;
  const Ran in = cli.run("score --import cells.csv --store sqlite:other.db --json");
  ASSERT_EQ(in.status, 0) << in.err;
  EXPECT_EQ(in.json().at("devices"), out.json().at("devices"));
}

struct Bad {
  const char* name;
  const char* csv;
  const char* message;
};
void PrintTo(const Bad& bad, std::ostream* out) { *out << bad.name; }
class BadScoreTable : public testing::TestWithParam<Bad> {};

TEST_P(BadScoreTable, IsRefusedWithItsLineAndNothingIsKept) {
  const Cli cli;
  cli.write("bad.csv", GetParam().csv);
  const Ran ran = cli.run("score --import bad.csv --store sqlite:s.db");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr(GetParam().message));
  EXPECT_EQ(cli.run("score --list --store sqlite:s.db").status, 3);
}

INSTANTIATE_TEST_SUITE_P(
    Score, BadScoreTable,
    testing::Values(
        Bad{"empty", "", "bad.csv: is empty"},
        Bad{"header_alone", "device,delegate,network,energy_j\n", "has no cells"},
        Bad{"no_energy", "device,delegate,network\na,b,c\n", "line 1"},
        Bad{"negative", "device,delegate,network,energy_j\na,b,c,1\na,b,d,-1\n", "line 3"},
        Bad{"infinite", "device,delegate,network,energy_j\na,b,c,1e999\n", "line 2"},
        Bad{"twice", "device,delegate,network,energy_j\na,b,c,1\na,b,c,1\n", "in line 2 already"},
        Bad{"ragged", "device,delegate,network,energy_j\na,b,c\n", "3 cells for 4 columns"},
        Bad{"binary",
            "\x7f"
            "ELF\x01\x02,,\n\xff\xfe\n",
            "line 1"}));

TEST(Score, WithoutCellsSaysHowToGetSome) {
  const Cli cli;
  const Ran none = cli.run("score --list --store memory:");
  EXPECT_EQ(none.status, 3);
  EXPECT_THAT(none.err, HasSubstr("run `ampere score`"));
  EXPECT_EQ(cli.run("score --list --explain --store memory:").status, 0);
  EXPECT_EQ(cli.run("score --import nowhere.csv --store memory:").status, 2);
  EXPECT_EQ(cli.run("score lenet5 --list --store memory:").status, 2);
  EXPECT_EQ(cli.run("score --columns a=b --rig sim:oppo --store memory:").status, 2);
  EXPECT_EQ(cli.run("score --source measured --rig sim:oppo --store memory:").status, 2);
  EXPECT_EQ(cli.run("score --rig sim:oppo --delegates GPU,CPU --store memory:").status, 2);
}

TEST(Score, ANameIsOneMachine) {
  const Cli cli;
  ASSERT_EQ(cli.run(on("sim:oppo") + " --name mine --delegates GPU").status, 0);
  const Ran other = cli.run(on("sim:xavier") + " --name mine --delegates GPU");
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("choose another name for it (--name)"));
  EXPECT_EQ(cli.run(on("sim:xavier") + " --name mine --delegates CPU").status, 0);
}

TEST(Score, AnUnknownReferenceIsRefusedBeforeAnythingIsMeasured) {
  const Cli cli;
  const Ran ran = cli.run(on("sim:oppo") + " --reference nobody");
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("no device 'nobody'"));
  EXPECT_EQ(cli.run("score --list --store sqlite:s.db").status, 3);
}

// A machine with two delegates and no GPU, whose joules are modelled: what ampere-runner would say.
constexpr const char* kMachine = R"sh(#!/usr/bin/env bash
if [ "$2" != cpu ]; then
  echo '{"ampere_runner":1,"error":{"code":"unknown","message":"there is no GPU"}}'
  exit 0
fi
echo '{"ampere_runner":1,"device":{"name":"Some Processor","hardware":"2 cores","driver":"d",
  "framework":"script, '"${4:-all}"' threads","meter":"modelled","power_mode":"unknown",
  "source":"modelled"},"abilities":["measure","inference"]}' | tr -d '\n'
echo
window='{"iterations":100,"time_s":1.0,"energy_j":2.0}'
while IFS= read -r request; do
  case "$request" in *'"measure"'*) ;; *) exit 0 ;; esac
  id=$(sed 's/.*"id": *\([0-9]*\).*/\1/' <<<"$request")
  echo >>answered
  [ ! -e slow ] || sleep 0.2
  echo "{\"id\":$id,\"measurement\":{\"windows\":[$window,$window,$window],\"source\":\"modelled\",\"elapsed_s\":3.0,
    \"energy_j_per_iteration\":{\"mean\":0.02,\"standard_error\":0.0001},
    \"time_s_per_iteration\":{\"mean\":0.01,\"standard_error\":0.0001},\"notes\":[]}}" | tr -d '\n'
  echo
done
)sh";

class ScoreOfThisMachine : public testing::Test {
 protected:
  void SetUp() override {
    cli_.write("runner", kMachine);
    std::filesystem::permissions(cli_.path("runner"), std::filesystem::perms::owner_all);
  }
  std::string score(const std::string& arguments) const {
    return "score lenet5 cnn5 har lstm --runner ./runner --store sqlite:s.db " + arguments;
  }
  Cli cli_;
};

TEST_F(ScoreOfThisMachine, HasOneDeviceWithItsDelegates) {
  const Ran ran = cli_.run(score("--json"));
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = ran.json();
  ASSERT_EQ(json.at("devices").size(), 1u);
  EXPECT_EQ(json.at("device"), "Some Processor");
  EXPECT_EQ(json.at("devices")[0].at("delegates"), Json::array({"CPU", "CPU1"}));
  EXPECT_EQ(json.at("measured"), 8);
  EXPECT_THAT(ran.err, HasSubstr("without a GPU: "));
  EXPECT_EQ(cli_.run(score("--delegates CPU1 --json")).json().at("measured"), 0);
}

TEST_F(ScoreOfThisMachine, SaysWhenTwoDelegatesAreOne) {
  const Ran ran = cli_.run(score("--delegates CPU1,CPU1 --json"));
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("they have the same cells"));
  EXPECT_EQ(ran.json().at("cells").size(), 4u);
}

TEST_F(ScoreOfThisMachine, CallsModelledEnergiesModelled) {
  const Ran ran = cli_.run(score("--delegates CPU"));
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("joules are modelled"));
  EXPECT_THAT(ran.out, HasSubstr("modelled"));
  EXPECT_THAT(ran.out, Not(HasSubstr("measured")));
}

TEST_F(ScoreOfThisMachine, IsCalledAsItsUserSaysFromThenOn) {
  EXPECT_EQ(cli_.run(score("--delegates CPU1 --name laptop --json")).json().at("device"), "laptop");
  EXPECT_EQ(cli_.run(score("--delegates CPU1 --json")).json().at("device"), "laptop");
}

TEST_F(ScoreOfThisMachine, RefusesDelegatesThatAreNone) {
  EXPECT_EQ(cli_.run(score("--delegates NPU")).status, 2);
  EXPECT_EQ(cli_.run(score("--delegates CPUx")).status, 2);
  EXPECT_EQ(cli_.run(score("--delegates GPU")).status, 3);
  EXPECT_EQ(cli_.run(score("--delegates CPU,CPU1 --record r.jsonl")).status, 2);
}

TEST_F(ScoreOfThisMachine, KilledItGoesOnWhereItStopped) {
  cli_.write("slow", "");
  const Ran killed = cli_.shell("env -u AMPERE \"$AMPERE\" " + score("--delegates CPU") +
                                " & while [ ! -s answered ] || [ $(wc -l <answered) -lt 3 ]; do "
                                "sleep 0.02; done; kill -KILL $!; wait $!");
  EXPECT_EQ(killed.status, 137);
  std::filesystem::remove(cli_.path("slow"));
  const Json before = cli_.run("score --list --json --store sqlite:s.db").json();
  int missing = 0;
  for (const Json& cell : before.at("cells"))
    if (cell.at("energy_j").is_null()) {
      ++missing;
      EXPECT_EQ(cell.at("reason"), "not measured yet");
    }
  EXPECT_GT(missing, 0);
  EXPECT_LE(missing, 2);
  EXPECT_EQ(cli_.run(score("--delegates CPU --json")).json().at("measured"), missing);
}

}  // namespace
}  // namespace ampere
