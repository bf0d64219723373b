#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "../support/temp_folder.h"
#include "ampere/error.h"
#include "ampere/rig.h"
#include "rig/runner_rig.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;

Error error_of(const std::string& spec, const RigOptions& options = {}) {
  try {
    open_rig(spec, options);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << spec << " opened";
  return {ErrorCode::failed, ""};
}

TEST(OpenRig, OpensACommandOrTheShellThatTheUserWrote) {
  EXPECT_EQ(open_rig("cmd:" AMPERE_FAKE_RUNNER " 'well'")->device().name, "virtual");
  EXPECT_EQ(open_rig("cmd:sh -c 'true && exec " AMPERE_FAKE_RUNNER " well'")->device().name,
            "virtual");
}

TEST(OpenRig, NeverPassesACommandThroughAShellOfItsOwn) {
  const testing_support::TempFolder folder;
  const std::string marker = folder / "marker";
  for (const std::string& command :
       {"true; touch " + marker, "true | touch " + marker, "true $(touch " + marker + ")",
        "true `touch " + marker + "`", "true > " + marker, "true & touch " + marker}) {
    const Error error = error_of("cmd:" + command, {});
    EXPECT_EQ(error.code(), ErrorCode::usage) << command;
    EXPECT_THAT(error.what(), HasSubstr("; write sh -c '")) << command;
    EXPECT_FALSE(std::filesystem::exists(marker)) << command;
  }
  EXPECT_THAT(error_of("cmd:ssh 'jetson", {}).what(), HasSubstr("a quote or a brace without"));
}

TEST(OpenRig, OpensASimulatedDevice) {
  ASSERT_FALSE(sim_devices().empty());
  const auto rig = open_rig("sim:" + sim_devices().front().name);
  EXPECT_EQ(rig->device().source, Source::simulated);
}

TEST(OpenRig, HandsDeviceAndMeterToTheRunner) {
  const auto script = std::filesystem::path(::testing::TempDir()) / "open_rig_runner.sh";
  const auto log = std::filesystem::path(::testing::TempDir()) / "open_rig_arguments";
  std::ofstream(script) << "#!/bin/sh\necho \"$@\" > " << log.string()
                        << "\nexec " AMPERE_FAKE_RUNNER " well\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  RigOptions options;
  options.runner = script;
  options.meter = "modelled:core=3";
  open_rig("cuda:1", options);
  std::string arguments;
  std::getline(std::ifstream(log) >> std::ws, arguments);
  EXPECT_EQ(arguments, "--device cuda:1 --meter modelled:core=3");
}

TEST(OpenRig, SuggestsWhatWasMeant) {
  EXPECT_THAT(error_of("locla").what(), HasSubstr("did you mean 'local'"));
  EXPECT_THAT(error_of("simm:xavier").what(), HasSubstr("did you mean 'sim:'"));
  EXPECT_THAT(error_of("record:file").what(), HasSubstr("did you mean 'recorded:'"));
  EXPECT_EQ(error_of("").code(), ErrorCode::usage);
  EXPECT_EQ(error_of("toaster").code(), ErrorCode::usage);
}

TEST(OpenRig, RefusesHalfASpec) {
  for (const char* spec : {"sim:", "cmd:", "cmd:  ", "recorded:", "cuda:", "cuda:x", "cuda:-1"})
    EXPECT_EQ(error_of(spec).code(), ErrorCode::usage) << spec;
}

TEST(OpenRig, KnowsNoMissingDeviceFileOrRunner) {
  RigOptions options;
  options.runner = "/no/such/runner";
  EXPECT_EQ(error_of("local", options).code(), ErrorCode::unknown);
  EXPECT_EQ(error_of("sim:toaster").code(), ErrorCode::unknown);
  EXPECT_EQ(error_of("recorded:/no/such/file").code(), ErrorCode::unknown);
}

TEST(OpenRig, WantsTheMeterOfACommandInTheCommand) {
  RigOptions options;
  options.meter = "nvml:0";
  const Error error = error_of("cmd:ssh jetson ampere-runner", options);
  EXPECT_EQ(error.code(), ErrorCode::usage);
  EXPECT_THAT(error.what(), HasSubstr("nvml:0"));
}

TEST(FindRunner, TakesOnlyWhatCanBeRun) {
  EXPECT_EQ(find_runner("/bin/sh"), "/bin/sh");
  const auto text = std::filesystem::path(::testing::TempDir()) / "open_rig_not_a_program";
  std::ofstream(text) << "text\n";
  EXPECT_THROW(find_runner(text), Error);
  EXPECT_THROW(find_runner("/etc"), Error);
}

}  // namespace
}  // namespace ampere
