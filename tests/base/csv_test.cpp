#include "base/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"

namespace ampere {
namespace {

using testing::ElementsAre;

TEST(Csv, HasAHeaderRowsAndComments) {
  const CsvTable table = parse_csv(
      "\xEF\xBB\xBF# device: a\r\n\r\nx, y ,z\r\n1,,3\r\n# between\n 4 ,\"5\",6", "t.csv");
  EXPECT_EQ(table.header.number, 3);
  EXPECT_THAT(table.header.cells, ElementsAre("x", "y", "z"));
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].number, 4);
  EXPECT_THAT(table.rows[0].cells, ElementsAre("1", "", "3"));
  EXPECT_EQ(table.rows[1].number, 6);
  EXPECT_THAT(table.rows[1].cells, ElementsAre("4", "5", "6"));
  ASSERT_EQ(table.comments.size(), 2u);
  EXPECT_THAT(table.comments[0].cells, ElementsAre("device: a"));
}

TEST(Csv, ReadsBackWhatItQuotes) {
  for (const std::string text : {"plain", "a,b", "say \"so\"", " spaces ", "#1", "", ",", "\""}) {
    const CsvTable table = parse_csv("x,y\n1," + csv_cell(text), "t.csv");
    ASSERT_EQ(table.rows.size(), 1u) << text;
    EXPECT_THAT(table.rows[0].cells, ElementsAre("1", text));
    EXPECT_EQ(table.rows[0].fault, "");
  }
}

TEST(Csv, SaysWhichLineCannotBeToldApart) {
  const CsvTable table = parse_csv("x\n\"open\n\"a\" b\nfine", "t.csv");
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_NE(table.rows[0].fault, "");
  EXPECT_NE(table.rows[1].fault, "");
  EXPECT_EQ(table.rows[2].fault, "");
}

TEST(Csv, NeedsAHeader) {
  for (const char* text : {"", "\n\n", "# only a comment\n"})
    EXPECT_THROW(parse_csv(text, "t.csv"), Error) << text;
}

TEST(Csv, TakesLinesOfSeparatorsAlone) {
  const CsvTable table = parse_csv("a,b,c\n,,\n", "t.csv");
  EXPECT_THAT(table.rows[0].cells, ElementsAre("", "", ""));
}

TEST(ColumnAliases, SayWhichColumnIsMeant) {
  const CsvTable table = parse_csv("x,Energy (J)\n", "t.csv");
  const auto aliases = parse_column_aliases("energy_j = Energy (J)", table.header, "t.csv");
  ASSERT_EQ(aliases.size(), 1u);
  EXPECT_EQ(aliases[0].name, "energy_j");
  EXPECT_EQ(aliases[0].column, 1u);
  EXPECT_TRUE(parse_column_aliases(" ", table.header, "t.csv").empty());
  EXPECT_THROW(parse_column_aliases("energy_j", table.header, "t.csv"), Error);
  EXPECT_THROW(parse_column_aliases("energy_j=y", table.header, "t.csv"), Error);
  EXPECT_THROW(parse_column_aliases("energy_j=x,", table.header, "t.csv"), Error);
}

TEST(Csv, CellsThatAreNotTextAreAFaultOfTheirLine) {
  const CsvTable table = parse_csv("a,b\n1,\xff\n2,\x1b[31m\n3,x\ty\n", "t.csv");
  EXPECT_EQ(table.rows[0].fault, "is not UTF-8 text");
  EXPECT_EQ(table.rows[1].fault, "contains a control character");
  EXPECT_EQ(table.rows[2].fault, "");
  EXPECT_THROW(parse_csv("a,\xff\n", "t.csv"), Error);
}

}  // namespace
}  // namespace ampere
