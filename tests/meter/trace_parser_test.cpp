#include "meter/trace/trace_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "base/text.h"

namespace ampere {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Row {
  double time_s, watts;
};
bool operator==(const Row& a, const Row& b) {
  return std::abs(a.time_s - b.time_s) < 1e-9 && std::abs(a.watts - b.watts) < 1e-9;
}
void PrintTo(const Row& row, std::ostream* out) {
  *out << row.time_s << " s, " << row.watts << " W";
}

std::vector<Row> parse(const std::string& text, const TraceFormat& format = {}) {
  TraceParser parser(format);
  std::vector<Row> rows;
  const auto lines = split(text, '\n');
  for (const std::string& line : lines)
    if (const TraceSample* sample = parser.parse(line))
      rows.push_back({sample->time.count(), sample->power.front().value});
  return rows;
}

std::string error_of(const std::string& text, const TraceFormat& format = {}) {
  try {
    parse(text, format);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  ADD_FAILURE() << "understood: " << text;
  return "";
}

TEST(TraceParser, ReadsTimeAndWattsWithEverySeparator) {
  for (const char* text : {"0,5\n1,6", "0;5\n1;6", "0\t5\n1\t6", "0 5\n1   6", "0, 5\r\n1, 6\r\n"})
    EXPECT_THAT(parse(text), ElementsAre(Row{0, 5}, Row{1, 6})) << text;
}

TEST(TraceParser, MultipliesVoltsAndAmperes) {
  EXPECT_THAT(parse("0,4,0.5\n0.1,4,0.25"), ElementsAre(Row{0, 2}, Row{0.1, 1}));
}

TEST(TraceParser, SkipsCommentsAndBlankLines) {
  EXPECT_THAT(parse("\xef\xbb\xbf# a meter\n\n0,5\n   \n# and so on, at length\n1,6\n"),
              ElementsAre(Row{0, 5}, Row{1, 6}));
}

TEST(TraceParser, ReadsUnitsFromTheHeader) {
  EXPECT_THAT(parse("time (ms),power (mW)\n1000,5000"), ElementsAre(Row{1, 5}));
  EXPECT_THAT(parse("t_us;v_mV;i_uA\n1000000;4000;500000"), ElementsAre(Row{1, 2}));
  EXPECT_THAT(parse("\"Time [s]\"\t\"Power [W]\"\n1\t5"), ElementsAre(Row{1, 5}));
  EXPECT_THAT(parse("timestamp voltage current\n1 4 0.5"), ElementsAre(Row{1, 2}));
}

TEST(TraceParser, ReadsMonsoonPowerTool) {
  EXPECT_THAT(parse("Time (s),Main Avg Current (mA),Main Max Current (mA),Main Avg Voltage (V)\n"
                    "0.0002,250,900,4\n"),
              ElementsAre(Row{0.0002, 1}));
}

TEST(TraceParser, ReadsMonsoonPythonWithItsTimeInSeconds) {
  TraceFormat format;
  format.time_scale = 1;
  EXPECT_THAT(parse("Time(ms),Main(mA),Main Voltage(V),\n0.5,250,4,\n", format),
              ElementsAre(Row{0.5, 1}));
}

TEST(TraceParser, ReadsJoulescopeWithItsHeaderInAComment) {
  EXPECT_THAT(parse("#time (s),current (A),voltage (V)\n0.0000005,0.25,4\n"),
              ElementsAre(Row{0.0000005, 1}));
}

TEST(TraceParser, ReadsPowerProfilerKitWithTheVoltageGiven) {
  TraceFormat format;
  format.volts = 3.3;
  EXPECT_THAT(parse("Timestamp(ms),Current(uA),D0-D7\n10,100000,00000001\n", format),
              ElementsAre(Row{0.01, 0.33}));
  EXPECT_THAT(error_of("Timestamp(ms),Current(uA)\n10,100000\n"), HasSubstr("volts="));
}

TEST(TraceParser, ReadsOtiiWithTheUnitGiven) {
  TraceFormat format;
  format.volts = 4;
  format.value_unit = "A";
  EXPECT_THAT(parse("Timestamp,Value\n0.00025,0.5\n", format), ElementsAre(Row{0.00025, 2}));
  EXPECT_THAT(error_of("Timestamp,Value\n0.00025,0.5\n"), HasSubstr("value="));
}

TEST(TraceParser, TakesPowerBeforeVoltageTimesCurrent) {
  EXPECT_THAT(parse("time,i,v,p,c,j\n1,2,3,5,0,0"), ElementsAre(Row{1, 5}));
}

TEST(TraceParser, KnowsTheTotalAndItsPartsOfOwnTraces) {
  TraceParser parser({});
  EXPECT_EQ(parser.parse("# source: modelled"), nullptr);
  EXPECT_EQ(parser.parse("time_s,power_w,package-0_w,gpu0_w"), nullptr);
  const TraceSample* sample = parser.parse("0.1,30,10,20");
  ASSERT_NE(sample, nullptr);
  EXPECT_EQ(sample->power.size(), 3u);
  EXPECT_EQ(parser.layout()->powers.at(2).name, "gpu0");
  EXPECT_EQ(parser.source(), Source::modelled);
}

TEST(TraceParser, AsksWhichOfSeveralChannels) {
  const std::string text =
      "Time (s),Main (mA),USB (mA),Main Voltage (V),USB Voltage (V)\n0,250,9,4,5";
  EXPECT_THAT(error_of(text), HasSubstr("'Main', 'USB'; choose with channel="));
  TraceFormat format;
  format.channel = "main";
  EXPECT_THAT(parse(text, format), ElementsAre(Row{0, 1}));
  format.channel = "aux";
  EXPECT_THAT(error_of(text, format), HasSubstr("is called 'aux'"));
  EXPECT_THAT(error_of("time,a (W),b (W)\n0,1,2"), HasSubstr("several columns of power"));
}

TEST(TraceParser, RefusesDecimalCommas) {
  EXPECT_THAT(error_of("0,1;5,2"), HasSubstr("decimal commas"));
  EXPECT_THAT(error_of("time;power\n0,1;5,2"), HasSubstr("decimal commas"));
  EXPECT_THAT(error_of("time\tpower\n0,1\t5,2"), HasSubstr("decimal commas"));
  EXPECT_THAT(error_of("time,power\n0,1,5,2"), HasSubstr("4 fields where there should be 2"));
}

TEST(TraceParser, RefusesWhatIsNoSample) {
  EXPECT_THAT(error_of("0,5\n1,watts"), HasSubstr("'watts' is not a finite number: '1,watts'"));
  EXPECT_THAT(error_of("0,5\n1"), HasSubstr("1 fields where there should be 2"));
  EXPECT_THAT(error_of("0,nan"), HasSubstr("'nan' is not a finite number"));
  EXPECT_THAT(error_of("0,inf"), HasSubstr("'inf' is not a finite number"));
  EXPECT_THAT(error_of("0,1e308"), HasSubstr("cannot be"));
  EXPECT_THAT(error_of("0,1e200,1e200"), HasSubstr("cannot be"));
  EXPECT_THAT(error_of("1e308,1"), HasSubstr("cannot be"));
  EXPECT_THAT(error_of("0,1e999"), HasSubstr("not a finite number"));
  EXPECT_THAT(error_of("0,5,6,7"), HasSubstr("no header"));
  EXPECT_THAT(error_of("hello\n"), HasSubstr("'time'"));
  EXPECT_THAT(error_of("time,price\n"), HasSubstr("neither power nor current"));
  EXPECT_THAT(error_of(std::string("\x7f\x45LF\x01\x02\x00\xff", 8)), HasSubstr("?ELF??"));
  EXPECT_THAT(error_of("# source: guessed\n"), HasSubstr("not a source"));
}

TEST(TraceParser, RefusesAClockThatGoesBack) {
  EXPECT_THAT(error_of("1,5\n0.5,5"), HasSubstr("goes back by 0.5 s: '0.5,5'"));
  EXPECT_THAT(parse("1,5\n1,6"), ElementsAre(Row{1, 5}, Row{1, 6}));
}

TEST(TraceParser, RefusesNegativePowerUnlessItIsCalledNoise) {
  EXPECT_THAT(error_of("0,-0.001"), HasSubstr("negative=zero"));
  TraceFormat format;
  format.negative_is_zero = true;
  EXPECT_THAT(parse("0,-0.001\n1,2", format), ElementsAre(Row{0, 0}, Row{1, 2}));
}

TEST(TraceParser, CutsLongLinesInItsComplaints) {
  EXPECT_LT(error_of(std::string(3000, 'x')).size(), 250u);
}

}  // namespace
}  // namespace ampere
