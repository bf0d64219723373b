#include "measure/power_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "ampere/error.h"
#include "base/text.h"

namespace ampere {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

MeterInfo two_domains() {
  MeterInfo info;
  info.name = "two";
  info.method = "test";
  info.domains = {{"gpu, \"big\"", true, "machine/gpu", ""}, {"core", false, "machine/core", ""}};
  return info;
}

class PowerTraceFile : public ::testing::Test {
 protected:
  PowerTraceFile() {
    std::string folder = (std::filesystem::temp_directory_path() / "ampere-trace-XXXXXX").string();
    folder_ = mkdtemp(folder.data());
  }
  ~PowerTraceFile() override { std::filesystem::remove_all(folder_); }

  std::string path() const { return folder_ + "/trace.csv"; }
  std::vector<std::string> lines() const {
    std::vector<std::string> lines = split(read_text_file(path()), '\n');
    lines.pop_back();
    return lines;
  }

  std::string folder_;
};

TEST_F(PowerTraceFile, HasAHeaderThatSaysWhatItIs) {
  const PowerTrace trace(two_domains(), Seconds{0.1}, path());
  EXPECT_THAT(lines(), ElementsAre("# source: measured", "# meter: two (test)",
                                   "time_s,power_w,\"gpu, \"\"big\"\"_w\",core_w"));
}

TEST_F(PowerTraceFile, HasARowAnIntervalWithTheMeanPowerSince) {
  PowerTrace trace(two_domains(), Seconds{1}, path());
  const Seconds start = trace.began();
  for (int i = 0; i <= 8; ++i)
    trace.add({start + i * Seconds{0.25}, {Joules{i * 2.0}, Joules{i * 1.0}}});
  const std::vector<std::string> rows = lines();
  ASSERT_THAT(rows, SizeIs(5));
  EXPECT_EQ(rows[3], "1.000000,8,8,4");
  EXPECT_EQ(rows[4], "2.000000,8,8,4");
}

TEST_F(PowerTraceFile, SaysWhenTheDiskIsFull) {
  PowerTrace trace(two_domains(), Seconds{0.1}, "/dev/full");
  EXPECT_THAT(trace.failure(), HasSubstr("/dev/full"));
  EXPECT_NO_THROW(trace.add({Seconds{1}, {Joules{1}, Joules{1}}}));
}

TEST(PowerTrace, RefusesAFileThatCannotBe) {
  EXPECT_THROW(PowerTrace(two_domains(), Seconds{0.1}, "/no/such/folder/t.csv"), Error);
}

TEST(PowerTrace, FindsThePeakInsideTheRun) {
  PowerTrace trace(two_domains(), Seconds{1}, "");
  double energy = 0;
  const auto second = [&](int time, double watts) {
    energy += watts;
    trace.add({Seconds{time * 1.0}, {Joules{energy}, Joules{0}}});
  };
  second(0, 0);
  second(1, 900);  // before
  trace.begin_run(Seconds{1.5});
  second(2, 800);  // begins before
  EXPECT_FALSE(trace.peak());
  second(3, 50);
  second(4, 70);
  second(5, 60);
  trace.end_run(Seconds{5.5});
  second(6, 700);  // ends after
  EXPECT_NEAR(trace.peak().value().value, 70, 1e-9);
}

}  // namespace
}  // namespace ampere
