// What users see and scripts read, letter by letter. AMPERE_UPDATE_GOLDEN=1 writes the files anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <regex>

#include "base/text.h"
#include "cli.h"

namespace ampere {
namespace {

using testing_support::Cli;
using testing_support::Ran;

struct Golden {
  const char* file;
  const char* arguments;
  bool masked = false;  // every number is a #, and columns are as wide as they come
};

void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.file; }

class GoldenOutput : public testing::TestWithParam<Golden> {};

std::string without_numbers(const std::string& text) {
  const std::regex number(R"([0-9]+(\.[0-9]+)?)"), spaces(" +");
  return std::regex_replace(std::regex_replace(text, number, "#"), spaces, " ");
}

TEST_P(GoldenOutput, IsAsWritten) {
  const Cli cli;
  const Ran ran = cli.run(GetParam().arguments);
  EXPECT_EQ(ran.status, 0) << ran.err;
  std::string out = ran.out;
  // The home is a new folder each time; what is printed of it is not.
  for (std::size_t at; (at = out.find(cli.path("").string())) != std::string::npos;)
    out.replace(at, cli.path("").string().size(), "~/");
  if (GetParam().masked) out = without_numbers(out);
  const std::string path = std::string(AMPERE_GOLDEN) + "/" + GetParam().file;
  if (std::getenv("AMPERE_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << out;
  EXPECT_EQ(out, read_text_file(path));
}

INSTANTIATE_TEST_SUITE_P(
    Cli, GoldenOutput,
    testing::Values(
        Golden{"help.txt", "--help"}, Golden{"help_doctor.txt", "doctor --help"},
        Golden{"help_models.txt", "models --help"}, Golden{"help_show.txt", "show --help"},
        Golden{"help_trace.txt", "trace --help"}, Golden{"help_measure.txt", "measure --help"},
        Golden{"help_run.txt", "run --help"}, Golden{"help_profile.txt", "profile --help"},
        Golden{"help_profiles.txt", "profiles --help"},
        Golden{"help_estimate.txt", "estimate --help"}, Golden{"help_choose.txt", "choose --help"},
        Golden{"help_plan.txt", "plan --help"}, Golden{"help_diff.txt", "diff --help"},
        Golden{"help_evaluate.txt", "evaluate --help"},
        Golden{"help_kernels.txt", "kernels --help"},
        Golden{"help_kernels_measure.txt", "kernels measure --help"},
        Golden{"help_kernels_fit.txt", "kernels fit --help"},
        Golden{"help_prune.txt", "prune --help"}, Golden{"help_score.txt", "score --help"},
        Golden{"help_report.txt", "report --help"},
        Golden{"help_report_estimate.txt", "report estimate --help"},
        Golden{"help_report_profile.txt", "report profile --help"},
        Golden{"help_report_evaluate.txt", "report evaluate --help"},
        Golden{"help_report_prune.txt", "report prune --help"},
        Golden{"help_report_choose.txt", "report choose --help"},
        Golden{"help_fleet.txt", "fleet --help"},
        Golden{"help_fleet_devices.txt", "fleet devices --help"},
        Golden{"help_fleet_profile.txt", "fleet profile --help"},
        Golden{"help_fleet_plan.txt", "fleet plan --help"},
        Golden{"help_fleet_submit.txt", "fleet submit --help"},
        Golden{"help_fleet_status.txt", "fleet status --help"},
        Golden{"help_fleet_watch.txt", "fleet watch --help"},
        Golden{"help_fleet_cancel.txt", "fleet cancel --help"},
        Golden{"help_fleet_report.txt", "fleet report --help"},
        Golden{"help_fleet_grant.txt", "fleet grant --help"},
        Golden{"help_fleet_ledger.txt", "fleet ledger --help"},
        Golden{"help_completion.txt", "completion --help"},
        Golden{"help_serve.txt", "serve --help"}, Golden{"help_store.txt", "store --help"},
        Golden{"help_store_copy.txt", "store copy --help"}, Golden{"models.txt", "models"},
        Golden{"show_lenet5.txt", "show lenet5"}, Golden{"show_lenet5.json", "show lenet5 --json"},
        Golden{"show_resnet34.txt", "show resnet34"},
        Golden{"show_program.txt", "show " AMPERE_TEST_DATA "/programs/two_blocks.program"},
        Golden{"show_program.json", "show " AMPERE_TEST_DATA "/programs/two_blocks.program --json"},
        Golden{"kernels_dry_run.txt", "kernels measure squeezenet --rig sim:xavier --dry-run"},
        Golden{
            "kernels_measure.txt",
            "kernels measure squeezenet --rig sim:oppo --configurations 60 --store memory:", true},
        Golden{"dry_run_ampere.txt", "profile lenet5 --rig sim:ideal --dry-run --method ampere"},
        Golden{"dry_run_tests.txt",
               "profile lenet5 --rig sim:ideal --dry-run --method ampere --test-points 8"},
        Golden{"profile_tests.txt",
               "profile lenet5 --rig sim:ideal --method ampere --points 6 --test-points 4 "
               "--store memory:",
               true},
        Golden{"profile_dual.txt", "profile lenet5 --rig sim:server --store memory:", true},
        Golden{"estimate_dual.txt",
               "estimate lenet5 --iterations 1000 --auto --rig sim:server --store memory:", true},
        Golden{"prune.txt",
               "prune cnn5 --budget 70% --auto --rig sim:xavier --networks 1000 --store memory:",
               true}));

TEST(Show, PrintsAModelFileThatLoadsAgain) {
  const Cli cli;
  for (const std::string model :
       {"lenet5:2,4,8,16", "resnet18", "transformer:layers=2", "shufflenet_v2"}) {
    const Ran first = cli.run("show " + model + " --json");
    ASSERT_EQ(first.status, 0) << first.err;
    cli.write("m.json", first.out);
    EXPECT_EQ(cli.run("show m.json --json").out, first.out);
  }
}

TEST(Show, CountsForTheAskedBatch) {
  const Cli cli;
  const Json one = cli.run("show cnn5 --json").json(),
             ten = cli.run("show cnn5 --batch 10 --json").json();
  EXPECT_EQ(one.at("flops").at("forward").get<std::int64_t>() * 10,
            ten.at("flops").at("forward").get<std::int64_t>());
  EXPECT_EQ(one.at("parameters"), ten.at("parameters"));
}

}  // namespace
}  // namespace ampere
