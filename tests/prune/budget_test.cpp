#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "ampere/prune.h"

namespace ampere {
namespace {

using Kind = Budget::Kind;

TEST(Budget, SharesEnergiesTotalsAndBatteriesAreRead) {
  const struct {
    const char* text;
    Kind kind;
    double amount;
  } cases[] = {
      {"50%", Kind::share_of_original, 0.5},        {" 12.5 % ", Kind::share_of_original, 0.125},
      {"100%", Kind::share_of_original, 1},         {"0.4J", Kind::joules_per_iteration, 0.4},
      {"300 mJ", Kind::joules_per_iteration, 0.3},  {"7uJ", Kind::joules_per_iteration, 7e-6},
      {"2mWh", Kind::joules_per_iteration, 7.2},    {"2kJ total", Kind::joules_of_run, 2000},
      {"1.5Wh total", Kind::joules_of_run, 5400},   {"0.1kWh total", Kind::joules_of_run, 3.6e5},
      {"3MJtotal", Kind::joules_of_run, 3e6},       {"3%battery", Kind::share_of_battery, 0.03},
      {"3 % battery", Kind::share_of_battery, 0.03}};
  for (const auto& expected : cases) {
    const Budget budget = parse_budget(expected.text);
    EXPECT_EQ(budget.kind, expected.kind) << expected.text;
    EXPECT_DOUBLE_EQ(budget.amount, expected.amount) << expected.text;
  }
}

TEST(Budget, NonsenseIsNamedWithWhatIsExpected) {
  for (const char* text :
       {"",          " ",           "%",     "J",       "0%",         "0J",
        "150%",      "-3J",         "-50%",  "nan%",    "nanJ",       "infJ",
        "1e400J",    "50",          "half",  "0.4 X",   "0.4 joules", "5%%",
        "3J%",       "2kJ totally", "total", "battery", "2J battery", "150%battery",
        "0%battery", "1 2J",        "0x10J", "1e-400J", "1e308MJ"})
    try {
      parse_budget(text);
      ADD_FAILURE() << "'" << text << "' was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      EXPECT_THAT(error.what(), testing::HasSubstr(std::string("'") + text + "'"));
      EXPECT_THAT(error.what(), testing::HasSubstr("50%"));
    }
}

TEST(Budget, IsResolvedToJoulesAnIteration) {
  EXPECT_DOUBLE_EQ(resolve(parse_budget("50%"), 3.0, {}, {}), 1.5);
  EXPECT_DOUBLE_EQ(resolve(parse_budget("300mJ"), {}, {}, {}), 0.3);
  EXPECT_DOUBLE_EQ(resolve(parse_budget("2kJ total"), {}, 1000, {}), 2);
  EXPECT_DOUBLE_EQ(resolve(parse_budget("10%battery"), {}, 100, 5000.0), 5);
}

TEST(Budget, SaysWhatItLacks) {
  const auto message = [](const char* text, std::optional<double> original,
                          std::optional<std::int64_t> iterations, std::optional<double> battery) {
    try {
      resolve(parse_budget(text), original, iterations, battery);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(message("50%", {}, {}, {}), testing::HasSubstr("original"));
  EXPECT_THAT(message("50%", 0.0, {}, {}), testing::HasSubstr("original"));
  EXPECT_THAT(message("2kJ total", 1.0, {}, {}), testing::HasSubstr("iterations"));
  EXPECT_THAT(message("2kJ total", 1.0, 0, {}), testing::HasSubstr("iterations"));
  EXPECT_THAT(message("3%battery", 1.0, 10, {}), testing::HasSubstr("battery"));
  EXPECT_THAT(message("3%battery", 1.0, {}, 10.0), testing::HasSubstr("iterations"));
}

}  // namespace
}  // namespace ampere
