#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "ampere/score.h"

namespace ampere {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(ScoreTable, IsReadWithEmptyCellsAbsent) {
  const std::vector<ScoreCell> cells = parse_score_table(
      "device,network,delegate,energy_mj,power_w,source\na,n,CPU,250,4,measured\nb,n,CPU,,,\n",
      "scores.csv");
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(cells[0].device, "a");
  EXPECT_EQ(cells[0].network, "n");
  EXPECT_EQ(cells[0].delegate, "CPU");
  EXPECT_DOUBLE_EQ(*cells[0].energy_j, 0.25);
  EXPECT_DOUBLE_EQ(*cells[0].power_w, 4);
  EXPECT_FALSE(cells[0].latency_s);
  EXPECT_FALSE(cells[1].energy_j);
  EXPECT_FALSE(cells[1].power_w);
}

TEST(ScoreTable, TakesOtherPeoplesNames) {
  const auto cells = parse_score_table("phone,network,delegate,E (J)\na,n,GPU,3\n", "scores.csv",
                                       "device=phone, energy_j=E (J)", Source::measured);
  EXPECT_EQ(cells[0].device, "a");
  EXPECT_DOUBLE_EQ(*cells[0].energy_j, 3);
}

TEST(ScoreTable, ReadsBackAsItWasWritten) {
  const std::vector<ScoreCell> cells{
      {"a, b", "CPU1", "n \"1\"", 1.0 / 3, 2e-9, 1e300, Source::modelled},
      {"a, b", "GPU", "n", {}, 2.0, {}, Source::simulated}};
  const std::string csv = export_score_table(cells);
  const std::vector<ScoreCell> read = parse_score_table(csv, "scores.csv");
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].device, "a, b");
  EXPECT_EQ(*read[0].energy_j, 1.0 / 3);
  EXPECT_EQ(*read[0].latency_s, 1e300);
  EXPECT_EQ(read[0].source, Source::modelled);
  EXPECT_FALSE(read[1].energy_j);
  EXPECT_EQ(export_score_table(read), csv);
}

std::string refusal(const std::string& csv, const std::string& columns = "") {
  try {
    parse_score_table(csv, "scores.csv", columns);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "taken";
}

TEST(ScoreTable, RefusesWhatIsNoneAndSaysWhere) {
  const std::string header = "device,network,delegate,energy_j\n";
  EXPECT_THAT(refusal(""), HasSubstr("is empty"));
  EXPECT_THAT(refusal("device,network,energy_j\n"), HasSubstr("no column delegate"));
  EXPECT_THAT(refusal("device,network,delegate\n"), HasSubstr("neither a column energy_j"));
  EXPECT_THAT(refusal("device,network,delegate,energy_j,energy_mj\n"), HasSubstr("two units"));
  EXPECT_THAT(refusal(header + "a,n,CPU,1\na,m,CPU,-2\n"), HasSubstr("line 3: energy_j is -2"));
  EXPECT_THAT(refusal(header + "a,n,CPU,nan\n"), HasSubstr("line 2"));
  EXPECT_THAT(refusal("device,network,delegate,energy_j,source\na,n,CPU,1,guessed\n"),
              HasSubstr("line 2: 'guessed' is not a source"));
  EXPECT_THAT(refusal(header + "a,n,CPU,1 J\n"), HasSubstr("is not a number"));
  EXPECT_THAT(refusal(header + "a,n,CPU\n"), HasSubstr("3 cells for 4 columns"));
  EXPECT_THAT(refusal(header + ",n,CPU,1\n"), HasSubstr("the device is empty"));
  EXPECT_THAT(refusal(header + "a,\"n,CPU,1\n"), HasSubstr("not closed"));
  EXPECT_THAT(refusal(header + "a,n,CPU,1\n\na,n,CPU,2\n"), HasSubstr("in line 2 already"));
  EXPECT_THAT(refusal(header, "energy_j=enerqy_j"), HasSubstr("did you mean 'energy_j'?"));
  EXPECT_THAT(refusal(header, "energy_j"), HasSubstr("ours=theirs"));
}

// Cells of others counted as measured once where nobody said so.
TEST(ScoreTable, HasToSayHowCostsWereFound) {
  const std::string silent = "device,network,delegate,energy_j\na,n,CPU,1\n",
                    some =
                        "device,network,delegate,energy_j,source\na,n,CPU,1,modelled\na,m,CPU,1,\n";
  EXPECT_THAT(refusal(silent), AllOf(HasSubstr("line 2"), HasSubstr("add a column source")));
  EXPECT_THAT(refusal(silent), Not(HasSubstr("--"))) << "the library knows no options";
  EXPECT_THAT(refusal(some), HasSubstr("line 3"));
  const auto told = parse_score_table(some, "scores.csv", "", Source::simulated);
  EXPECT_EQ(told[0].source, Source::modelled);
  EXPECT_EQ(told[1].source, Source::simulated);
}

}  // namespace
}  // namespace ampere
