#include "base/child_environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

namespace ampere {
namespace {

using ::testing::Contains;
using ::testing::Not;

TEST(ChildEnvironment, HasWhatFrameworksAndRemoteShellsNeed) {
  for (const char* name : {"PATH", "HOME", "LC_ALL", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES",
                           "PYTHONPATH", "VIRTUAL_ENV", "OMP_NUM_THREADS", "SSH_AUTH_SOCK",
                           "SLURM_JOB_ID", "TORCH_HOME", "ASAN_OPTIONS", "ROCR_VISIBLE_DEVICES"})
    EXPECT_TRUE(is_for_children(name)) << name;
}

TEST(ChildEnvironment, HasNoSecretsAndNothingThatNobodyAskedFor) {
  for (const char* name : {"PGPASSWORD", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "HF_TOKEN",
                           "HF_HUB_TOKEN", "CONDA_TOKEN", "PYTHON_KEYRING_PASSWORD", "AMPERE_STORE",
                           "http_proxy", "DISPLAY", "", "PATHS", "MY_HOME", "SLURM_SECRET"})
    EXPECT_FALSE(is_for_children(name)) << name;
}

TEST(ChildEnvironment, HasWhatTheUserNames) {
  EXPECT_TRUE(is_for_children("PGPASSWORD", "WANDB_*, PGPASSWORD"));
  EXPECT_TRUE(is_for_children("WANDB_API_KEY", "WANDB_*, PGPASSWORD"));
  EXPECT_FALSE(is_for_children("PGPASS", "WANDB_*, PGPASSWORD"));
}

TEST(ChildEnvironment, IsTakenFromThisProcess) {
  setenv("CUDA_OF_THIS_TEST", "1=2", 1);
  setenv("OTHER_OF_THIS_TEST", "x", 1);
  EXPECT_THAT(child_environment(), Contains("CUDA_OF_THIS_TEST=1=2"));
  EXPECT_THAT(child_environment(), Not(Contains("OTHER_OF_THIS_TEST=x")));
  setenv(kPassEnvironment, "OTHER_OF_*", 1);
  EXPECT_THAT(child_environment(), Contains("OTHER_OF_THIS_TEST=x"));
  unsetenv(kPassEnvironment);
}

}  // namespace
}  // namespace ampere
