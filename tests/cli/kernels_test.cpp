#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "cli.h"

namespace ampere {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_support::Cli;
using testing_support::Ran;

// One survey of two networks on the simulated Jetson serves most of these.
class KernelsCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    cli_ = new Cli;
    const Ran ran = cli_->run(
        "kernels measure squeezenet cnn5 --rig sim:xavier --configurations 90 --store sqlite:s.db "
        "--json");
    ASSERT_EQ(ran.status, 0) << ran.err;
    survey_ = new Json(ran.json());
  }
  static void TearDownTestSuite() {
    delete survey_;
    delete cli_;
  }

  static Ran run(const std::string& arguments, const std::string& input = "") {
    return cli_->run(arguments + " --store sqlite:s.db", input);
  }

  static double energy_of(const Ran& ran) {
    EXPECT_EQ(ran.status, 0) << ran.err;
    return ran.json().at("energy_j").at("mean");
  }

  static Cli* cli_;
  static Json* survey_;
};
Cli* KernelsCommand::cli_ = nullptr;
Json* KernelsCommand::survey_ = nullptr;

TEST_F(KernelsCommand, TheSurveySaysWhatItFound) {
  const Json& json = *survey_;
  EXPECT_EQ(json.at("mode"), "inference");
  EXPECT_EQ(json.at("source"), "simulated");
  EXPECT_GT(json.at("measured"), 0);
  EXPECT_EQ(json.at("failed"), 0);
  for (const Json& test : json.at("fusion").at("tests")) EXPECT_EQ(test.at("fused"), false) << test;
  EXPECT_GT(json.at("fusion").at("overhead").at("time_s").at("mean"), 0);
  for (const Json& fit : json.at("fits")) {
    EXPECT_TRUE(fit.at("energy").at("mape").is_number());
    EXPECT_TRUE(fit.at("time").at("within_10").is_number());
  }
}

TEST_F(KernelsCommand, ListsWhatTheStoreHas) {
  const Json row = run("kernels --json").json();
  EXPECT_EQ(row.at("predictors"), Json::array({"gp", "forest"}));
  EXPECT_GE(row.at("kernels").at("conv"), 10);
  EXPECT_THAT(run("kernels").out, AllOf(HasSubstr("conv"), HasSubstr("gp, forest")));
}

TEST_F(KernelsCommand, EstimatesAnInferenceWithTheDocumentedKeys) {
  const Json json = run("estimate squeezenet --mode inference --iterations 100 --json").json();
  EXPECT_EQ(json.at("mode"), "inference");
  EXPECT_EQ(json.at("method"), "kernels");
  EXPECT_EQ(json.at("batch"), 1);
  EXPECT_EQ(json.at("iterations"), 100);
  EXPECT_EQ(json.at("source"), "simulated");
  EXPECT_TRUE(json.at("uncovered").empty());
  double parts = 0;
  for (const Json& part : json.at("parts"))
    parts += part.at("energy_j_per_iteration").at("mean").get<double>();
  EXPECT_NEAR(100 * parts, json.at("energy_j").at("mean").get<double>(), 1e-9);
  EXPECT_LT(json.at("energy_j").at("low"), json.at("energy_j").at("high"));
  EXPECT_THAT(run("estimate squeezenet --mode inference").out,
              AllOf(HasSubstr("per inference"), HasSubstr("CIN=")));
}

TEST_F(KernelsCommand, BothPredictorsComeNearTheMeasuredNetwork) {
  for (const std::string method : {"kernels", "kernels-forest"}) {
    const Ran ran = run("estimate squeezenet --mode inference --check --rig sim:xavier --method " +
                        method + " --json");
    ASSERT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(ran.json().at("method"), method);
    const double error =
        ran.json().at("checked").at("energy_j_per_iteration").at("relative_error_of_estimate");
    EXPECT_LT(std::abs(error), method == "kernels" ? 0.15 : 0.5) << method;
  }
}

TEST_F(KernelsCommand, UncoveredKernelsAreListedAndNoSumIsGiven) {
  const Ran ran = run("estimate shufflenet_v2 --mode inference --json");
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("ampere kernels measure"));
  const Json json = Json::parse(ran.out);
  EXPECT_TRUE(json.at("energy_j").is_null());
  EXPECT_THAT(json.at("uncovered").dump(), HasSubstr("no predictor for 'channel-shuffle'"));
}

TEST_F(KernelsCommand, ExportedAndImportedElsewhereItEstimatesTheSame) {
  ASSERT_EQ(run("kernels export --output k.csv").status, 0);
  const Ran imported = cli_->run("kernels import k.csv --store sqlite:other.db --json");
  ASSERT_EQ(imported.status, 0) << imported.err;
  EXPECT_TRUE(imported.json().at("bad").empty()) << imported.out;
  EXPECT_EQ(cli_->run("estimate squeezenet --mode inference --store sqlite:other.db").status, 3);
  ASSERT_EQ(cli_->run("kernels fit --predictor gp --store sqlite:other.db").status, 0);
  const Ran there =
      cli_->run("estimate squeezenet --mode inference --store sqlite:other.db --json");
  const Ran here = run("estimate squeezenet --mode inference --json");
  EXPECT_NEAR(energy_of(there), energy_of(here), 1e-4 * energy_of(here));
  EXPECT_EQ(there.json().at("device"), here.json().at("device"));
  EXPECT_EQ(there.json().at("source"), "simulated");
}

TEST_F(KernelsCommand, FitsAFileWithoutKeepingIt) {
  ASSERT_EQ(run("kernels export --output t.csv").status, 0);
  const Ran ran = cli_->run("kernels fit --table t.csv --predictor gp --cv 3 --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(ran.json().at("profile").is_null());
  EXPECT_GT(ran.json().at("fits").size(), 3u);
}

TEST_F(KernelsCommand, PredictsLineByLine) {
  const std::string config = R"("HW": 28, "CIN": 32, "COUT": 64, "KERNEL_SIZE": 3, "STRIDES": 1})";
  const Ran ran = run("kernels predict --json",
                      R"({"kernel": "conv", )" + config + "\n" + R"({"kernel": "Conv", )" + config);
  ASSERT_EQ(ran.status, 0) << ran.err;
  std::istringstream lines(ran.out);
  std::string first, second;
  std::getline(lines, first);
  std::getline(lines, second);
  EXPECT_EQ(first, second);
  EXPECT_GT(Json::parse(first).at("energy_j").at("mean"), 0);
  EXPECT_GT(Json::parse(first).at("time_s").at("stddev"), 0);
  const Ran csv = run("kernels predict --predictor forest",
                      "kernel,hw,cin,cout,kernel_size,strides\nconv,28,32,64,3,1\n");
  EXPECT_EQ(csv.status, 0) << csv.err;
  EXPECT_THAT(csv.out, HasSubstr("conv,\"HW=28"));
}

TEST_F(KernelsCommand, BadConfigurationsAreNamedByTheirLine) {
  struct Case {
    const char *input, *says;
    int status;
  };
  for (const Case& bad : {Case{"{\"kernel\": \"conv\", \"HW\": 28}", "line 1", 2},
                          Case{"\n{\"kernel\": \"conv\", \"CHANNELS\": 28}", "line 2", 2},
                          Case{"{\"HW\": 28}", "which kernel", 2},
                          Case{"kernel,HW\nrelu,28,5\n", "line 2: has 3 cells for 2 columns", 2},
                          Case{"kernel,HW\nrelu,many\n", "line 2", 2},
                          Case{"kernel,HW,CIN\nsofa,28,4\n", "no predictor for 'sofa'", 3}}) {
    const Ran ran = run("kernels predict", bad.input);
    EXPECT_EQ(ran.status, bad.status) << bad.input;
    EXPECT_THAT(ran.err, HasSubstr(bad.says)) << bad.input;
  }
}

TEST_F(KernelsCommand, KernelsAreNoApplications) {
  const Ran ran = run("kernels export --level application");
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(run("kernels export --level chair").status, 2);
}

// Kernels, models and applications, each row with its level and how its energy was found.
TEST(KernelsOfApplications, AllLevelsAreOneTableThatIsReadBack) {
  const Cli cli;
  const Ran survey = cli.run(
      "kernels measure lenet5 fsrcnn:size=16 ds_cnn --rig sim:xavier --configurations 60 --store "
      "sqlite:a.db");
  ASSERT_EQ(survey.status, 0) << survey.err;
  const Ran exported = cli.run("kernels export --level all --output all.csv --store sqlite:a.db");
  ASSERT_EQ(exported.status, 0) << exported.err;
  const Ran table = cli.run("kernels export --level all --store sqlite:a.db");
  EXPECT_THAT(table.out, HasSubstr("\nlevel,name,source,network,"));
  EXPECT_THAT(table.out, HasSubstr("\nkernel,conv,simulated,"));
  EXPECT_THAT(table.out, HasSubstr("\nmodel,lenet5,simulated,"));
  EXPECT_THAT(table.out, HasSubstr("\napplication,super-resolution,simulated,fsrcnn:size=16,"));
  EXPECT_THAT(table.out, HasSubstr("\napplication,keyword spotting,simulated,ds_cnn,"));
  EXPECT_THAT(table.out, Not(HasSubstr("\nmodel,ds_cnn")));
  const Ran imported = cli.run("kernels import all.csv --store sqlite:b.db --json");
  ASSERT_EQ(imported.status, 0) << imported.err;
  EXPECT_EQ(imported.json().at("level"), "all");
  EXPECT_GE(imported.json().at("levels").at("application"), 2);
  EXPECT_EQ(imported.json().at("profiles").size(), 1u);
  EXPECT_EQ(cli.run("kernels export --level all --store sqlite:b.db").out, table.out);
  EXPECT_EQ(cli.run("kernels fit --table all.csv --predictor gp --cv 0").status, 0)
      << "its kernels are fitted";
}

TEST_F(KernelsCommand, TheSameCommandMeasuresNothingNew) {
  const Ran ran =
      run("kernels measure squeezenet cnn5 --rig sim:xavier --configurations 90 --json");
  EXPECT_EQ(ran.json().at("measured"), 0);
  EXPECT_EQ(ran.json().at("known"), survey_->at("measured"));
}

TEST(KernelsWithoutAnything, SayWhatToRun) {
  const Cli cli;
  EXPECT_EQ(cli.run("profile lenet5 --rig sim:ideal --method ampere --points 3 --store sqlite:t.db")
                .status,
            0);
  for (const std::string command :
       {"estimate lenet5 --mode inference", "kernels fit", "kernels export", "kernels predict"}) {
    const Ran ran = cli.run(command + " --store sqlite:t.db");
    EXPECT_EQ(ran.status, 3) << command << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("ampere kernels measure")) << command;
  }
  const Ran ran = cli.run("estimate lenet5 --mode inference --profile 1 --store sqlite:t.db");
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("profile 1 is of training"));
}

TEST(KernelsWithoutAnything, SayWhatToRunWhereThereIsNoStore) {
  const Cli cli;
  for (const std::string command :
       {"estimate lenet5 --mode inference", "kernels", "kernels export", "kernels predict"}) {
    const Ran ran = cli.run(command + " --store sqlite:none.db");
    EXPECT_EQ(ran.status, 3) << command << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("ampere kernels measure")) << command;
  }
}

TEST(KernelsWithoutAnything, InferenceHasItsOwnOptions) {
  const Cli cli;
  EXPECT_EQ(cli.run("estimate lenet5 --mode inference --auto").status, 2);
  EXPECT_EQ(cli.run("estimate lenet5 --mode inference --epochs 3 --samples 5").status, 2);
  EXPECT_EQ(cli.run("estimate lenet5 --mode inference --method dual").status, 2);
  EXPECT_EQ(cli.run("estimate lenet5 --mode dreaming").status, 2);
  EXPECT_EQ(cli.run("kernels measure lenet5 --configurations 0").status, 2);
  EXPECT_EQ(cli.run("kernels measure lenet5 --batch 0 --rig sim:ideal").status, 2);
}

// Every way in which a table of others can be wrong, with the line it is in.
TEST(KernelsImport, BadRowsAreListedAndTheOthersTaken) {
  const Cli cli;
  cli.write("t.csv",
            "# device: Some Phone\n"
            "# source: measured\n"
            "kernel,HW,CIN,energy_mj,power_mw,latency_ms\n"
            "relu,28,16,2,1000,2\n"
            "relu,28,32,-1,1000,2\n"
            "relu,28,48,nan,1000,2\n"
            "relu,28,64,9,1000,2\n"
            "relu,28,80,2000,1000,2\n"
            "relu,28,96,4,2000\n"
            "relu,28,112,4,2000,2\n"
            "relu,28,112,8,4000,2\n");
  const Ran ran = cli.run("kernels import t.csv --store sqlite:s.db --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = ran.json();
  EXPECT_EQ(json.at("rows"), 1);
  std::vector<int> lines;
  for (const Json& bad : json.at("bad")) lines.push_back(bad.at("line"));
  EXPECT_THAT(lines, testing::ElementsAre(5, 6, 7, 8, 9, 10, 11));
  for (const char* line : {"t.csv: line 5: ", "t.csv: line 8: ", "another unit", "single row"})
    EXPECT_THAT(ran.err, HasSubstr(line));
  EXPECT_EQ(cli.run("kernels import t.csv --strict --store sqlite:strict.db").status, 2);
  const Ran fit = cli.run("kernels fit --store sqlite:s.db");
  EXPECT_THAT(fit.out, HasSubstr("relu has 1 different configuration"));
}

TEST(KernelsImport, AFileThatCannotBeUnderstoodIsRefused) {
  const Cli cli;
  struct Case {
    const char *text, *says;
  };
  for (const Case& bad :
       {Case{"", "t.csv"}, Case{"kernel,HW,CIN\nrelu,1,1\n", "line 1"},
        Case{"kernel,HW,CIN,energy_mj,energy_j\nrelu,1,1,2,2\n", "two units"},
        Case{"HW,CIN,energy_mj\n1,1,2\n", "no column kernel"},
        Case{"kernel,HW,CIN,energy_mj\n", "no rows"},
        Case{"kernel,HW,CIN,energy_mj\nrelu,1,1,0\n", "1 of 1 rows are bad"},
        Case{"kernel,HW,CIN,energy_mj\nrelu,1,1,1\n", "(--device)"},
        Case{"# device: a\nkernel,HW,CIN,energy_mj\nrelu,1,1,1\n", "a column source (--source)"}}) {
    cli.write("t.csv", bad.text);
    const Ran ran = cli.run("kernels import t.csv --store sqlite:s.db");
    EXPECT_EQ(ran.status, 2) << bad.text;
    EXPECT_THAT(ran.err, HasSubstr(bad.says)) << bad.text;
  }
  EXPECT_EQ(cli.run("kernels import nowhere.csv").status, 2);
}

TEST(KernelsImport, MapsOtherPeoplesColumns) {
  const Cli cli;
  std::string text = "input_h,cin,Energy(mJ)\n";
  for (int channels = 1; channels <= 8; ++channels)
    text += "14," + std::to_string(8 * channels) + "," + std::to_string(channels) + "\n";
  cli.write("t.csv", text);
  const Ran ran = cli.run(
      "kernels import t.csv --kernel relu --device Theirs --source modelled --columns "
      "'HW=input_h,CIN=cin,energy_mj=Energy(mJ)' --store sqlite:s.db --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.json().at("rows"), 8);
  EXPECT_EQ(cli.run("kernels --store sqlite:s.db --json").json().at("source"), "modelled");
  ASSERT_EQ(cli.run("kernels fit --predictor gp --store sqlite:s.db").status, 0);
  const Ran predicted = cli.run("kernels predict --store sqlite:s.db --json",
                                "{\"kernel\":\"relu\",\"HW\":14,\"CIN\":20}");
  ASSERT_EQ(predicted.status, 0) << predicted.err;
  EXPECT_TRUE(predicted.json().at("time_s").is_null());
  EXPECT_NEAR(predicted.json().at("energy_j").at("mean").get<double>(), 2.5e-3, 5e-4);
}

}  // namespace
}  // namespace ampere
