// Suites: families, models and steps that estimates are judged by, and the files in the repository.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "cli.h"

namespace ampere {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing_support::Cli;
using testing_support::Ran;

Json held_by(const Cli& cli, const std::string& suite) {
  const Ran ran = cli.run("evaluate --dry-run --json --suite " AMPERE_SUITES "/" + suite);
  EXPECT_EQ(ran.status, 0) << suite << ": " << ran.err;
  return ran.json();
}

bool has_step(const Json& suite, const std::string& part) {
  for (const Json& step : suite.at("steps"))
    if (step.get<std::string>().find(part) != std::string::npos) return true;
  return false;
}

// The networks of torchvision and transformers are not built here.
TEST(SuitesOfTheRepository, AreRead) {
  const Cli cli;
  const Json paper = held_by(cli, "paper.toml");
  std::set<std::string> families;
  for (const Json& each : paper.at("families")) {
    families.insert(each.at("family").get<std::string>());
    EXPECT_EQ(each.at("setup").at("batch"), 128);
    EXPECT_EQ(each.at("seconds"), 40) << "the same for every method";
    EXPECT_TRUE(each.at("methods").empty()) << "all of them";
  }
  EXPECT_EQ(families,
            (std::set<std::string>{"lenet5", "cnn5", "har", "lstm", "transformer", "resnet18"}));
  const Json modern = held_by(cli, "modern.toml");
  EXPECT_EQ(modern.at("steps").size(), 13u * 3 * 2);
  for (const char* network :
       {"resnet50", "convnext_tiny", "efficientnet_b0", "vit_b_16", "swin_t", "unet", "bert_base",
        "gpt2", "llama_300m", "llama_1b", "t5_small", "lstm"})
    for (const char* precision : {"fp32", "bf16"}) {
      const bool convolves =
          std::set<std::string>{"resnet50", "convnext_tiny", "efficientnet_b0", "unet"}.contains(
              network);
      EXPECT_TRUE(has_step(modern, std::string("network ") + network + ", optimizer " +
                                       (convolves ? "sgd" : "adamw") + ", precision " + precision))
          << network << " " << precision;
    }
  for (const char* length : {"length 128, network bert_base", "length 512, network bert_base",
                             "length 1024, network gpt2"})
    EXPECT_TRUE(has_step(modern, length)) << length;
  EXPECT_EQ(held_by(cli, "compiled.toml").at("steps").size(), 4u * 2);
  EXPECT_EQ(held_by(cli, "settings.toml").at("steps").size(), (3u + 3 + 2) * 2);
  EXPECT_EQ(held_by(cli, "changes.toml").at("steps").size(), 8u + 5);
  EXPECT_EQ(held_by(cli, "unseen.toml").at("steps").size(), 86u);
  EXPECT_EQ(held_by(cli, "small.toml").at("steps").size(), 9u);
}

// What another tool says of a step is found by the step's name.
TEST(SuitesOfTheRepository, HaveTheSameNamesForPeers) {
  const Cli cli;
  for (const std::string suite : {"modern.toml", "unseen.toml"}) {
    const Ran ran = cli.shell("python3 " AMPERE_SUITES
                              "/../torch/runtime_estimator.py --names " AMPERE_SUITES "/" +
                              suite);
    if (ran.err.find("tomllib") != std::string::npos) GTEST_SKIP() << "Python before 3.11";
    ASSERT_EQ(ran.status, 0) << ran.err;
    std::set<std::string> names, steps;
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);) names.insert(line);
    const Json held = held_by(cli, suite);
    for (const Json& step : held.at("steps")) steps.insert(step.get<std::string>());
    EXPECT_EQ(names, steps) << suite;
  }
}

// A suite of two networks on a simulated server with a small general profile, and a profile of one
// of the two for another method.
class SuiteOfModels : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    cli_ = new Cli;
    cli_->write("two.toml",
                "[[models]]\nmodel = \"lenet5\"\nbatch = [8, 16]\n"
                "[[models]]\nmodel = \"fsrcnn:size=16\"\nbatch = 8\noptimizer = \"adamw\"\n"
                "[data_sheet]\nwatts = 250\nfp32_flops = 13e12\nhalf_flops = 26e12\n"
                "bytes_per_s = 6e11\n");
    cli_->write(
        "peers.jsonl",
        "{\"peer\": \"a tool\", \"entry\": \"batch 8, model lenet5\", \"time_s\": 0.001}\n"
        "\n{\"peer\": \"a tool\", \"entry\": \"batch 16, model lenet5\", \"failure\": \"no\"}\n");
    for (const char* command : {"profile --general --operations 300 --programs 6",
                                "profile lenet5 --batch 8 --timings 60 --networks 6"})
      ASSERT_EQ(run(command).status, 0) << command;
    ran_ = evaluate();
    ASSERT_EQ(ran_.status, 0) << ran_.err;
  }
  static void TearDownTestSuite() { delete cli_; }

  static Ran run(const std::string& arguments) {
    return cli_->run(arguments + " --rig sim:server --store sqlite:s.db");
  }
  static Ran evaluate() {
    return run("evaluate --suite two.toml --peers peers.jsonl --output-folder results --json");
  }
  static std::vector<Json> lines(const std::string& text) {
    std::vector<Json> result;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) result.push_back(Json::parse(line));
    return result;
  }
  static std::map<std::string, Json> scores() {
    std::map<std::string, Json> result;
    const std::vector<Json> all = lines(ran_.out);
    for (const Json& score : all.back().at("scores"))
      result[score.at("name").get<std::string>()] = score;
    return result;
  }

  static Cli* cli_;
  static Ran ran_;
};
Cli* SuiteOfModels::cli_ = nullptr;
Ran SuiteOfModels::ran_;

TEST_F(SuiteOfModels, IsEstimatedBeforeEachStepIsMeasured) {
  const std::vector<Json> results = lines(ran_.out);
  ASSERT_EQ(results.size(), 3u + 1);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(results[i].at("failure"), "");
    EXPECT_GT(results[i].at("measured").at("energy_j_per_iteration").at("mean").get<double>(), 0);
    EXPECT_LE(results[i].at("estimated_at").get<std::string>(),
              results[i].at("measured_at").get<std::string>());
  }
  EXPECT_EQ(results[0].at("entry"), "batch 8, model lenet5");
  EXPECT_EQ(results[2].at("entry"), "batch 8, model fsrcnn:size=16, optimizer adamw");
}

TEST_F(SuiteOfModels, AsksEveryMethodThatCanAnswer) {
  const std::vector<Json> results = lines(ran_.out);
  EXPECT_GT(results[0].at("methods").at("dual").at("energy_j").at("mean").get<double>(), 0);
  EXPECT_TRUE(results[1].at("methods").empty()) << "no profile has this batch";
  EXPECT_EQ(scores().at("dual, its own profile").at("steps"), 1);
}

TEST_F(SuiteOfModels, HasBaselinesAndPeersInTheSameTable) {
  const auto by_name = scores();
  for (const char* name :
       {"operations, profile alone, family unknown", "operations, device at hand, family known",
        "FLOPs and a constant", "FLOPs, bytes and operations", "roofline and operations"})
    EXPECT_TRUE(by_name.contains(name)) << name;
  const Json& sheet = by_name.at("roofline of the data sheet at its power");
  EXPECT_EQ(sheet.at("steps"), 3);
  EXPECT_TRUE(sheet.at("time_mape").is_number());
  EXPECT_TRUE(by_name.at("power of the data sheet, measured time").at("time_mape").is_null())
      << "it is given the time";
  EXPECT_EQ(by_name.at("a tool").at("steps"), 1);
  EXPECT_TRUE(by_name.at("a tool").at("energy_mape").is_null());
  const Ran text = run("evaluate --suite two.toml --peers peers.jsonl");
  EXPECT_THAT(text.out, HasSubstr("power of the data sheet, measured time"));
}

TEST_F(SuiteOfModels, IsNotMeasuredAgain) { EXPECT_EQ(evaluate().out, ran_.out); }

TEST_F(SuiteOfModels, WritesATableAndAPage) {
  EXPECT_THAT(cli_->read("results/two.csv"), StartsWith("entry,family,half,source,measured_j"));
  EXPECT_THAT(cli_->read("results/two.csv"), HasSubstr("simulated"));
  const Json json = Json::parse(cli_->read("results/two.json"));
  EXPECT_EQ(json.at("source"), "simulated");
  EXPECT_EQ(json.at("networks").size(), 3u);
  EXPECT_FALSE(json.at("scores").empty());
  EXPECT_THAT(cli_->read("results/two.html"),
              HasSubstr("<title>suite two on simulated GPU server"));
  const Ran again = cli_->run("report evaluate --from results/two.json --output again.html");
  EXPECT_EQ(again.status, 0) << again.err;
}

TEST(SuiteOfFamilies, GivesEveryMethodTheSameSeconds) {
  const Cli cli;
  cli.write(
      "f.toml",
      "[[families]]\nfamily = [\"lenet5\", \"har\"]\nbatch = [10]\nnetworks = 3\nseconds = 20\n"
      "methods = [\"dual\", \"ampere\", \"flops\"]\n");
  const std::string command =
      "evaluate --suite f.toml --rig sim:xavier --store sqlite:f.db --output-folder results --json";
  const Ran ran = cli.run(command);
  ASSERT_EQ(ran.status, 0) << ran.err;
  std::vector<Json> evaluations;
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) evaluations.push_back(Json::parse(line));
  ASSERT_EQ(evaluations.size(), 2u);
  EXPECT_EQ(evaluations[0].at("family"), "lenet5");
  for (const Json& each : evaluations) {
    EXPECT_EQ(each.at("networks").size(), 3u);
    for (const char* method : {"dual", "ampere", "flops"})
      EXPECT_TRUE(each.at("methods").at(method).contains("mape"))
          << each.at("family") << ": the seconds of one family are not those of another, "
          << method;
  }
  EXPECT_THAT(cli.read("results/f.html"), HasSubstr("suite f on simulated Jetson Xavier"));
  EXPECT_THAT(cli.read("results/lenet5_batch10.csv"), HasSubstr("dual_j"));
  EXPECT_EQ(cli.run(command).out, ran.out) << "it is kept";
}

TEST(SuiteOfFamilies, BeginsNothingAfterItsSeconds) {
  const Cli cli;
  cli.write("f.toml",
            "[[families]]\nfamily = \"lenet5\"\nnetworks = 2\nseconds = 1e-9\n"
            "methods = [\"ampere\", \"dual\"]\n");
  const Ran ran = cli.run("evaluate --suite f.toml --rig sim:xavier --store memory: --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("method dual is left out"));
  EXPECT_FALSE(ran.json().at("methods").contains("dual"));
}

TEST(SuiteFiles, ThatAreBrokenAreNamedWithTheirEntry) {
  const Cli cli;
  const auto said = [&](const std::string& text, int status = 2) {
    cli.write("s.toml", text);
    const Ran ran = cli.run("evaluate --suite s.toml --dry-run");
    EXPECT_EQ(ran.status, status) << text;
    return ran.err;
  };
  EXPECT_THAT(said("[[models]]\nbatch = 3\n"), HasSubstr("s.toml: model 1: model is missing"));
  EXPECT_THAT(said("[[models]]\nmodel = \"lenet6\"\n", 3),
              HasSubstr("s.toml: model 1: there is no network 'lenet6'"));
  EXPECT_THAT(said("[[models]]\nmodel = \"lenet5\"\nbacth = 3\n"),
              HasSubstr("did you mean 'batch'"));
  EXPECT_THAT(said("[[models]]\nmodel = \"lenet5\"\nbatch = [8, 0]\n"), HasSubstr("batch"));
  EXPECT_THAT(said("[[models]]\nmodel = \"lenet5\"\nbatch = [8, 8]\n"), HasSubstr("occurs twice"));
  EXPECT_THAT(said("[[families]]\nfamily = \"lenet5\"\nseconds = -1\n"),
              HasSubstr("s.toml: family 1: seconds is no number above 0"));
  EXPECT_THAT(said("[[families]]\nfamily = \"lenet5\"\nnetworks = 0\n"), HasSubstr("networks"));
  EXPECT_THAT(said("[[families]]\nfamily = \"lenet5\"\nmethods = [\"duel\"]\n"),
              AllOf(HasSubstr("s.toml: methods"), HasSubstr("did you mean 'dual'")));
  EXPECT_THAT(said("[data_sheet]\nwatts = 3\n[[models]]\nmodel = \"lenet5\"\n"),
              HasSubstr("s.toml: data_sheet: fp32_flops is missing"));
}

TEST(SuiteFiles, PeersMustBeOfItsSteps) {
  const Cli cli;
  cli.write("s.toml", "[[models]]\nmodel = \"lenet5\"\n");
  const auto said = [&](const std::string& text) {
    cli.write("p.jsonl", text);
    const Ran ran = cli.run("evaluate --suite s.toml --dry-run --peers p.jsonl");
    EXPECT_EQ(ran.status, 2) << text;
    return ran.err;
  };
  EXPECT_THAT(said("{\"peer\": \"x\", \"entry\": \"chair\", \"time_s\": 1}\n"),
              HasSubstr("p.jsonl: line 1: 'chair' is no entry of the suite"));
  EXPECT_THAT(said("{\"peer\": \"x\", \"entry\": \"model lenet5\"}\n"),
              HasSubstr("neither time_s nor energy_j"));
  EXPECT_THAT(said("{\"peer\": \"x\", \"entry\": \"model lenet5\", \"time_s\": 0}\n"),
              HasSubstr("is not above 0"));
  EXPECT_EQ(cli.run("evaluate lenet5 --dry-run").status, 2) << "of suites alone";
}

}  // namespace
}  // namespace ampere
