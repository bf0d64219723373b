// Numbers that an option cannot take: empty, not finite, too large for the type, out of range.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli.h"

namespace ampere {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_support::Cli;
using testing_support::Ran;

struct Numeric {
  std::string verb, option;
  bool zero = false;  // is 0 a good value?
};

void PrintTo(const Numeric& numeric, std::ostream* out) {
  *out << numeric.verb << " " << numeric.option;
}

class NumericOption : public testing::TestWithParam<Numeric> {};

TEST_P(NumericOption, RefusesWhatIsNoNumberInItsRange) {
  const Cli cli;
  const auto& [verb, option, zero] = GetParam();
  std::vector<std::string> values{
      "''", "nan", "inf", "1e400", "99999999999999999999", "-99999999999999999999", "x", "1x"};
  if (!zero) values.push_back("0");
  for (const std::string& value : values) {
    const Ran ran = cli.run(verb + " " + option + " " + value);
    EXPECT_EQ(ran.status, 2) << value << ": " << ran.err;
    EXPECT_THAT(ran.err, AllOf(HasSubstr(option + ": "), HasSubstr(" and "))) << value;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cli, NumericOption,
    testing::Values(
        Numeric{"estimate cnn5", "--iterations"}, Numeric{"estimate cnn5", "--epochs"},
        Numeric{"estimate cnn5", "--samples"}, Numeric{"estimate cnn5", "--confidence"},
        Numeric{"estimate cnn5", "--carbon", true}, Numeric{"estimate cnn5", "--price", true},
        Numeric{"estimate cnn5", "--batch"}, Numeric{"estimate cnn5", "--seed", true},
        Numeric{"estimate cnn5", "--point-seconds"}, Numeric{"show cnn5", "--batch"},
        Numeric{"run cnn5", "--iterations"}, Numeric{"profile cnn5", "--time-limit", true},
        Numeric{"profile cnn5", "--points"}, Numeric{"profile cnn5", "--tolerance"},
        Numeric{"profile cnn5", "--test-points", true}, Numeric{"profile cnn5", "--timings"},
        Numeric{"profile cnn5", "--networks"}, Numeric{"evaluate cnn5", "--networks"},
        Numeric{"evaluate cnn5", "--points"}, Numeric{"evaluate cnn5", "--baseline-limit", true},
        Numeric{"evaluate cnn5", "--profile-networks"}, Numeric{"kernels measure", "--batch"},
        Numeric{"kernels measure", "--configurations"},
        Numeric{"kernels measure", "--tolerance", true},
        Numeric{"kernels measure", "--time-limit", true}, Numeric{"kernels fit", "--cv", true},
        Numeric{"kernels fit", "--tolerance", true}, Numeric{"measure", "--repeat"},
        Numeric{"measure", "--idle"}, Numeric{"measure", "--interval"},
        Numeric{"prune cnn5 --budget 50%", "--iterations"},
        Numeric{"prune cnn5 --budget 50%", "--confidence"},
        Numeric{"prune cnn5 --budget 50%", "--networks"},
        Numeric{"prune cnn5 --budget 50%", "--align"},
        Numeric{"prune cnn5 --budget 50%", "--finalists"},
        Numeric{"prune cnn5 --budget 50%", "--pareto", true},
        Numeric{"prune cnn5 --budget 50%", "--epochs"},
        Numeric{"prune cnn5 --budget 50%", "--fine-tune"},
        Numeric{"prune cnn5 --budget 50%", "--learning-rate"}));

TEST(RigOption, TheNumberOfThreadsHasALimit) {
  const Cli cli;
  for (const char* rig : {"cpu:4096", "cpu:0", "cpu:99999999999999999999"}) {
    const Ran ran = cli.run(std::string("profile cnn5 --rig ") + rig);
    EXPECT_EQ(ran.status, 2) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(std::string("--rig '") + rig));
  }
}

}  // namespace
}  // namespace ampere
