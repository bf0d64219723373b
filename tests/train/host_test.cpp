#include "train/host.h"

#include <gmock/gmock.h>

#include "ampere/error.h"
#include "train/cuda_driver.h"

namespace ampere {
namespace {

using testing::HasSubstr;

TEST(Host, DescribesTheMachine) {
  const HostInfo info = host_info();
  EXPECT_FALSE(info.name.empty());
  EXPECT_THAT(info.hardware, HasSubstr("logical cores"));
  EXPECT_THAT(info.hardware, HasSubstr("GiB"));
  EXPECT_THAT(info.system, HasSubstr("Linux"));
}

TEST(Host, KnowsHowMuchMemoryIsAvailable) {
  EXPECT_GT(available_memory(), std::int64_t{1} << 20);
  EXPECT_LT(available_memory(), std::int64_t{1} << 50);
}

TEST(Host, WritesSizesInGibibytes) {
  EXPECT_EQ(gibibytes(0.4 * (1 << 30)), "0.4 GiB");
  EXPECT_EQ(gibibytes(139.7 * (1 << 30)), "140 GiB");
}

TEST(CudaDriver, ThereIsNoNegativeDevice) {
  try {
    cuda_device(-1);
    FAIL() << "must throw";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown);
    EXPECT_THAT(error.what(), HasSubstr("CUDA driver"));
  }
}

}  // namespace
}  // namespace ampere
