// Generated text on an NVIDIA H200, from recordings, by the script of the page docs/generation.md,
// whose figures these are.
#include <gtest/gtest.h>

#include <regex>

#include "cli.h"

namespace ampere {
namespace {

using testing_support::Cli;
using testing_support::Ran;

struct Errors {  // in %
  double decodes = 0, prefills = 0, inside = 0;
};

// Of all 36 calls, from the summary that the script prints.
Errors at_hand(const std::string& which) {
  const Cli cli;
  const Ran ran = cli.shell("AMPERE=\"$AMPERE\" " AMPERE_GENERATION "/replay . " + which);
  EXPECT_EQ(ran.status, 0) << ran.err;
  const std::size_t table = ran.out.find("Errors of the estimates at hand");
  const std::regex row(
      R"(\| all \| 36 \| ([\d.]+)% \| ([\d.]+)% \| [-+.\d]+% \| [\d.]+% \| (\d+)% \|)");
  std::smatch found;
  const std::string rest = ran.out.substr(std::min(table, ran.out.size()));
  if (!std::regex_search(rest, found, row)) {
    ADD_FAILURE() << ran.out;
    return {};
  }
  return {std::stod(found[1]), std::stod(found[2]), std::stod(found[3])};
}

TEST(RecordedGeneration, IsEstimatedWithFourLooksAtTheHost) {
  const Errors errors = at_hand("live");
  EXPECT_LT(errors.decodes, 8.6);
  EXPECT_LT(errors.prefills, 3.7);
  EXPECT_GE(errors.inside, 97);
}

TEST(RecordedGeneration, IsFartherOffWithOneLook) {
  const Errors errors = at_hand("earlier");
  EXPECT_LT(errors.decodes, 19.2);
  EXPECT_LT(errors.prefills, 9.8);
  EXPECT_GE(errors.inside, 72);
}

TEST(RecordedGeneration, IsEstimatedForAnotherMachine) {
  const Errors errors = at_hand("across");
  EXPECT_LT(errors.decodes, 10.5);
  EXPECT_LT(errors.prefills, 9.8);
  EXPECT_GE(errors.inside, 89);
}

}  // namespace
}  // namespace ampere
