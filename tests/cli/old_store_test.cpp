// A store of an earlier version answers as the program did that wrote it. tests/data/store says how
// both were made.
#include <gtest/gtest.h>

#include <sstream>

#include "../support/gunzip.h"
#include "base/text.h"
#include "cli.h"

namespace ampere {
namespace {

using testing_support::Cli;
using testing_support::gunzip;
using testing_support::Ran;

const std::string kData = AMPERE_TEST_DATA "/store/";

class OldStore : public ::testing::Test {
 protected:
  OldStore() { cli_.write("s.db", gunzip(kData + "version3.db.gz")); }

  const Cli cli_;
};

void expect_same(const Json& now, const Json& before, const std::string& quantity) {
  const double mean = before.at(quantity).at("mean").get<double>();
  EXPECT_NEAR(now.at(quantity).at("mean").get<double>(), mean, 1e-12 * mean) << quantity;
}

TEST_F(OldStore, EstimatesByEveryMethodWhatItDidBefore) {
  std::istringstream answers(read_text_file(kData + "estimates.jsonl"));
  int compared = 0;
  for (std::string line; std::getline(answers, line); ++compared) {
    const Json before = Json::parse(line);
    const auto text = [&](const char* key) { return before.at(key).get<std::string>(); };
    const std::string question = text("model") + " --profile " + text("profile") + " --method " +
                                 text("method") + " --mode " + text("mode");
    const Ran ran = cli_.run("estimate " + question + " --store sqlite:s.db --json");
    ASSERT_EQ(ran.status, 0) << question << "\n" << ran.err;
    SCOPED_TRACE(question);
    expect_same(ran.json(), before, "energy_j_per_iteration");
    expect_same(ran.json(), before, "time_s_per_iteration");
  }
  EXPECT_EQ(compared, 13);
}

TEST_F(OldStore, HasTheSameKernels) {
  const Ran ran = cli_.run("kernels export --profile 6 --store sqlite:s.db");
  EXPECT_EQ(ran.out, read_text_file(kData + "kernels.csv")) << ran.err;
}

}  // namespace
}  // namespace ampere
