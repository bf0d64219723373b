// Reports made by the program as it is: pages, figures, and what is said when there is nothing to
// show.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_support::Cli;
using testing_support::Ran;

const std::string kReportStore = " --store sqlite:s.db";
const std::string kReportXavier = " --rig sim:xavier" + kReportStore;
const std::string kFew = " --timings 100 --profile-networks 10";
const std::string kEvaluate =
    "evaluate cnn5 lenet5 --networks 4 --points 4 --method dual,ampere,flops" + kFew;

// A program that was built without the page says so, and everything it can still do is tested.
bool draws(const Ran& ran) { return ran.err.find("built without") == std::string::npos; }

// One store for all tests; none changes it.
class Report : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    cli_ = std::make_unique<Cli>();
    for (const std::string& command :
         {"profile cnn5" + kFew, "profile cnn5 --batch 32" + kFew,
          std::string("profile cnn5 --method ampere --points 6"), kEvaluate,
          std::string("prune cnn5 --budget 50% --search random --networks 100"),
          std::string("prune cnn5 --budget 70% --search random --networks 100")}) {
      const Ran ran = cli_->run(command + kReportXavier);
      ASSERT_EQ(ran.status, 0) << command << ": " << ran.err;
    }
  }
  static void TearDownTestSuite() { cli_.reset(); }

  static Json payload(const std::string& report) {
    const Ran ran = cli_->run("report " + report + " --json" + kReportStore);
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    return ran.json();
  }

  static std::unique_ptr<Cli> cli_;
};
std::unique_ptr<Cli> Report::cli_;

TEST_F(Report, AnEstimateIsThatOfTheVerb) {
  const std::string network = "cnn5:9,17,33,65";  // none that was run for the profile
  const std::string asked = "estimate " + network + " --iterations 2000 --battery 50Wh --carbon 380";
  const Json report = payload(asked);
  const Json& shown = report.at("content").at("estimates").at(0);
  const Json estimate = cli_->run(asked + " --json" + kReportStore).json();
  for (const auto& [key, value] : estimate.items()) EXPECT_EQ(shown.at(key), value) << key;
  EXPECT_EQ(report.at("command"), "ampere report " + asked + " --json" + kReportStore);
  EXPECT_EQ(report.at("title"), "Training " + network + " on simulated Jetson Xavier");
}

// The page lets its reader compare widths, of which only some were run.
TEST_F(Report, ANetworkThatWasRunIsEstimatedByTheLawsAloneAndThePageSaysSo) {
  const Json shown = payload("estimate cnn5").at("content").at("estimates").at(0);
  EXPECT_EQ(shown.at("earlier_runs"), 0);
  ASSERT_EQ(shown.at("warnings").size(), 1u);
  EXPECT_THAT(shown.at("warnings").at(0).get<std::string>(), HasSubstr("asks the laws alone"));
  const Json leaned = cli_->run("estimate cnn5 --json" + kReportStore).json();
  EXPECT_GT(leaned.at("earlier_runs").get<int>(), 0);
  EXPECT_NE(leaned.at("energy_j").at("mean"), shown.at("energy_j").at("mean"));
}

TEST_F(Report, AnEstimateHasEveryBatchOfTheDeviceTheAskedOneFirst) {
  const auto batches = [&](const std::string& options) {
    std::vector<int> found;
    const Json report = payload("estimate cnn5" + options);
    const Json& content = report.at("content");
    for (const Json& estimate : content.at("estimates")) found.push_back(estimate.at("batch"));
    EXPECT_EQ(content.at("what_if").size(), found.size());
    return found;
  };
  EXPECT_EQ(batches(""), (std::vector{10, 32}));
  EXPECT_EQ(batches(" --batch 32"), (std::vector{32, 10}));
}

TEST_F(Report, AnEstimateCanBeRecomputed) {
  for (const std::string method : {"dual", "ampere"}) {
    const Json what_if = payload("estimate cnn5:8,16,32,64 --batch 10 --method " + method)
                             .at("content")
                             .at("what_if")
                             .at(0);
    EXPECT_EQ(what_if.at("method"), method);
    EXPECT_EQ(what_if.at("widths").size(), 4u);
  }
  EXPECT_THAT(payload("estimate cnn5 --method flops").at("content").at("what_if").dump(),
              HasSubstr("reason"));
}

TEST_F(Report, AProfileIsFoundByIdOrDeviceOrIsTheLatest) {
  const Json first = payload("profile 1").at("content");
  EXPECT_EQ(first.at("profile").at("id"), "1");
  EXPECT_GT(first.at("kinds").size(), 3u);
  EXPECT_FALSE(first.at("dual").is_null());
  EXPECT_EQ(payload("profile 2").at("content").at("profile").at("setup").at("batch"), 32);
  EXPECT_EQ(payload("profile Xavier").at("content").at("profile").at("id"), "1");
  EXPECT_EQ(payload("profile").at("content").at("profile").at("id"), "1") << "the prunings' own";
}

TEST_F(Report, EvaluationsAreAllOrThoseNamed) {
  const auto families = [&](const std::string& names) {
    std::vector<std::string> found;
    const Json report = payload("evaluate" + names);
    for (const Json& evaluation : report.at("content").at("evaluations"))
      found.push_back(evaluation.at("family"));
    return found;
  };
  EXPECT_EQ(families(""), (std::vector<std::string>{"cnn5", "lenet5"}));
  EXPECT_EQ(families(" lenet5"), (std::vector<std::string>{"lenet5"}));
}

TEST_F(Report, EvaluationsOfFilesAreThoseOfTheStore) {
  cli_->write("lines.json", cli_->run(kEvaluate + kReportXavier + " --json").out);
  ASSERT_EQ(cli_->run(kEvaluate + kReportXavier + " --output-folder results").status, 0);
  const Json stored = payload("evaluate").at("content").at("evaluations");
  for (const std::string from :
       {"--from lines.json",
        "--from results/cnn5_batch10.json --from results/lenet5_batch10.json"}) {
    const Ran ran = cli_->run("report evaluate --json " + from);
    ASSERT_EQ(ran.status, 0) << ran.err;
    const Json files = ran.json().at("content").at("evaluations");
    ASSERT_EQ(files.size(), 2u) << from;
    EXPECT_EQ(files[0].at("networks"), stored[0].at("networks")) << from;
    EXPECT_EQ(files[1].at("methods"), stored[1].at("methods")) << from;
  }
  EXPECT_EQ(payload("evaluate --from lines.json").at("content").at("evaluations").size(), 4u)
      << "a store that is given is shown beside";
}

TEST_F(Report, PruningsAreKept) {
  const Json prunes = payload("prune cnn5").at("content").at("prunes");
  ASSERT_EQ(prunes.size(), 2u);
  for (const Json& prune : prunes) {
    EXPECT_EQ(prune.at("model"), "cnn5");
    EXPECT_LE(prune.at("pruned").at("found_at_j_per_iteration").get<double>(),
              prune.at("budget_j_per_iteration").get<double>());
    EXPECT_THAT(prune.at("name").get<std::string>(), HasSubstr("pruning cnn5 to"));
  }
}

TEST_F(Report, WhatWasNotPrunedIsSaid) {
  const Ran ran = cli_->run("report prune cnn --json" + kReportStore);
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(ran.err, "ampere: there is no pruning of 'cnn'; did you mean 'cnn5'?\n");
}

TEST_F(Report, IsOnePageWithoutATraceOfTheNetwork) {
  for (const std::string report : {"estimate cnn5", "profile", "evaluate", "prune"}) {
    const Ran ran = cli_->run("report " + report + " --output page.html" + kReportStore);
    if (!draws(ran)) GTEST_SKIP() << ran.err;
    ASSERT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(ran.out, "wrote page.html\n");
    const std::string html = cli_->read("page.html");
    EXPECT_LT(html.size(), 5u << 20) << report;
    EXPECT_THAT(html, HasSubstr("id=\"payload"));
    for (const char* place : {"@TITLE@", "@STYLE@", "@PAYLOAD@", "@SCRIPT@", "src=\"http"})
      EXPECT_EQ(html.find(place), std::string::npos) << report << ": " << place;
  }
}

TEST_F(Report, FiguresAreWholeDrawings) {
  for (const std::string report : {"estimate cnn5", "profile 1", "evaluate", "prune"}) {
    const Ran ran = cli_->run("report " + report + " --json --figures figures" + kReportStore);
    if (!draws(ran)) GTEST_SKIP() << ran.err;
    ASSERT_EQ(ran.status, 0) << ran.err;
  }
  const Ran checked = cli_->shell(
      "python3 -c 'import glob, xml.dom.minidom as x\n"
      "for f in glob.glob(\"figures/*.svg\"): print(x.parse(f).documentElement.tagName)'");
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_GE(std::ranges::count(checked.out, '\n'), 8);
  EXPECT_THAT(checked.out, Not(HasSubstr("html")));
}

TEST_F(Report, AFigureHasAMarkANetwork) {
  const Ran ran = cli_->run("report evaluate cnn5 --json --figures marks" + kReportStore);
  if (!draws(ran)) GTEST_SKIP() << ran.err;
  ASSERT_EQ(ran.status, 0) << ran.err;
  const std::string svg = cli_->read("marks/time-vs-energy-cnn5-batch10.svg");
  int marks = 0;
  for (std::size_t at = 0; (at = svg.find("ecmeta_data_index", at)) != std::string::npos; ++at)
    ++marks;
  EXPECT_EQ(marks, 4);
}

TEST_F(Report, ReplacesAReportAndNothingElse) {
  const std::string report = "report prune --output mine.html" + kReportStore;
  const Ran first = cli_->run(report);
  if (!draws(first)) GTEST_SKIP() << first.err;
  ASSERT_EQ(first.status, 0) << first.err;
  EXPECT_EQ(cli_->run(report).status, 0);
  cli_->write("mine.html", "<html>my thesis</html>");
  const Ran refused = cli_->run(report);
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("mine.html exists and is not a report of ampere"));
  EXPECT_EQ(cli_->read("mine.html"), "<html>my thesis</html>");
}

TEST_F(Report, AHostileNameStaysText) {
  Json model = cli_->run("show cnn5 --json").json();
  model["name"] = "</script><script>alert('x')</script>\"\u2028";
  cli_->write("hostile.json", model.dump());
  const Ran ran = cli_->run("report estimate hostile.json --output hostile.html" + kReportStore);
  if (!draws(ran)) GTEST_SKIP() << ran.err;
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(cli_->read("hostile.html"), Not(HasSubstr("<script>alert")));
}

struct RefusedReport {
  const char* arguments;
  int status;
  const char* says;
};
void PrintTo(const RefusedReport& refused, std::ostream* out) { *out << refused.arguments; }

class BadReport : public testing::TestWithParam<RefusedReport> {};

TEST_P(BadReport, IsRefusedWithWhatIsWrong) {
  const Cli cli;
  ASSERT_EQ(cli.run("evaluate cnn5 --networks 2 --points 3 --method ampere" + kReportXavier).status,
            0);
  cli.write("broken.json", "{\"family\": ");
  cli.write("other.json", "{\"family\": \"cnn5\"}");
  cli.write("empty.json", "");
  cli.write("text.db", "not a store");
  const Ran ran = cli.run(std::string("report ") + GetParam().arguments);
  EXPECT_EQ(ran.status, GetParam().status) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr(GetParam().says));
  EXPECT_EQ(ran.out, "");
}

INSTANTIATE_TEST_SUITE_P(
    Cli, BadReport,
    testing::Values(
        RefusedReport{"", 2, "subcommand"}, RefusedReport{"pictures", 2, "--help"},
        RefusedReport{"estimate --json --store sqlite:s.db", 2, "MODEL"},
        RefusedReport{"estimate cnn55 --json --store sqlite:s.db", 3, "did you mean 'cnn5'"},
        RefusedReport{"estimate cnn5 --json --batch 7 --store sqlite:s.db", 3, "batch 7"},
        RefusedReport{"estimate cnn5 --json --profile TX2 --store sqlite:s.db", 3, "TX2"},
        RefusedReport{"estimate resnet18 --json --store sqlite:s.db", 3, "ampere profile"},
        RefusedReport{"estimate cnn5 --json --method flop --store sqlite:s.db", 2, "flops"},
        RefusedReport{"estimate cnn5 --json --battery 5 --store sqlite:s.db", 2, "--battery"},
        RefusedReport{"estimate cnn5 --json --iterations -1 --store sqlite:s.db", 2,
                      "--iterations"},
        RefusedReport{"estimate cnn5 --json --store sqlite:none.db", 3, "none.db"},
        RefusedReport{"profile 9 --json --store sqlite:s.db", 3, "no profile '9'"},
        RefusedReport{"profile --json --store sqlite:none.db", 3, "ampere profile MODEL"},
        RefusedReport{"profile --json --store sqlite:text.db", 2, "text.db"},
        RefusedReport{"profile --json --store memory:", 3, "the store is empty"},
        RefusedReport{"evaluate --json --store memory:", 3, "ampere evaluate FAMILY"},
        RefusedReport{"evaluate cnn6 --json --store sqlite:s.db", 3, "did you mean 'cnn5'"},
        RefusedReport{"evaluate --json --from broken.json", 2, "broken.json: not valid JSON"},
        RefusedReport{"evaluate --json --from other.json", 2, "other.json: the key"},
        RefusedReport{"evaluate --json --from empty.json", 2, "empty.json"},
        RefusedReport{"evaluate --json --from none.json", 2, "none.json"},
        RefusedReport{"prune --json --store memory:", 3, "ampere prune MODEL"},
        RefusedReport{"prune --json --store sqlite:s.db", 3, "there is no pruning in sqlite:s.db"},
        RefusedReport{"prune --json --from other.json", 2, "other.json: the key"}));

TEST_F(Report, WhatCannotBeWrittenIsSaid) {
  const Ran ran = cli_->run("report prune --output nowhere/page.html" + kReportStore);
  if (!draws(ran)) GTEST_SKIP() << ran.err;
  EXPECT_EQ(ran.status, 2) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("nowhere"));
  cli_->write("file", "");
  const Ran folder = cli_->run("report prune --json --figures file" + kReportStore);
  if (!draws(folder)) GTEST_SKIP() << folder.err;
  EXPECT_EQ(folder.status, 4) << folder.err;
  EXPECT_THAT(folder.err, HasSubstr("--figures"));
}

}  // namespace
}  // namespace ampere
