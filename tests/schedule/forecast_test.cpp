#include "forecast/forecast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error_of.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::error_of;

constexpr std::chrono::sys_seconds kNow =
    std::chrono::sys_days(std::chrono::year{2026} / 1 / 31) + std::chrono::hours{12};

Forecast parse(const std::string& text) { return parse_forecast(text, "f.csv", kNow); }

std::string refusal(const std::string& text) {
  const Error error = error_of([&] { parse(text); });
  EXPECT_EQ(error.code(), ErrorCode::usage);
  EXPECT_THAT(error.what(), HasSubstr("f.csv"));
  return error.what();
}

TEST(Forecast, ReadsSecondsAndUnit) {
  const Forecast forecast = parse("time,carbon (gCO2/kWh)\n0,300\n3600,250.5\n");
  EXPECT_THAT(forecast.from, ElementsAre(Seconds{0}, Seconds{3600}));
  EXPECT_THAT(forecast.per_kwh, ElementsAre(300, 250.5));
  EXPECT_EQ(forecast.unit, "gCO2/kWh");
  EXPECT_EQ(parse("time,EUR/kWh\n0,1\n").unit, "EUR/kWh");
  EXPECT_EQ(parse("time,price [EUR/kWh]\n0,1\n").unit, "EUR/kWh");
}

TEST(Forecast, ReadsUtcTimesInAnyOrderFromNowOn) {
  const Forecast forecast = parse(
      "time,g/kWh\n2026-01-31 13:00,3\n2026-01-31T11:00:00Z,1\n2026-01-31T11:30:00+00:00,2\n"
      "2026-01-31T14:00:30Z,4\n");
  EXPECT_THAT(forecast.from, ElementsAre(Seconds{0}, Seconds{3600}, Seconds{7230}));
  EXPECT_THAT(forecast.per_kwh, ElementsAre(2, 3, 4));
}

TEST(Forecast, GoesOnWithTheLastValueWhenAllIsPast) {
  const Forecast forecast = parse("time,g/kWh\n-7200,1\n-3600,2\n");
  EXPECT_THAT(forecast.from, ElementsAre(Seconds{0}));
  EXPECT_THAT(forecast.per_kwh, ElementsAre(2));
}

TEST(Forecast, SaysWhichLineIsWrong) {
  EXPECT_THAT(refusal("time,g/kWh\n0,1\n60,many\n"), HasSubstr("line 3: the value 'many'"));
  EXPECT_THAT(refusal("time,g/kWh\n0,1\nsoon,2\n"), HasSubstr("line 3: the time 'soon'"));
  EXPECT_THAT(refusal("time,g/kWh\n2026-02-30T00:00Z,1\n"), HasSubstr("'2026-02-30T00:00Z'"));
  EXPECT_THAT(refusal("time,g/kWh\n0,1\n5,2\n0,3\n"), HasSubstr("line 4: the time of line 2"));
  EXPECT_THAT(refusal("time,g/kWh\n0,1\n2026-01-31T12:00Z,2\n"), HasSubstr("line 3"));
  EXPECT_THAT(refusal("time,g/kWh\n0\n"), HasSubstr("line 2"));
  EXPECT_THAT(refusal("time,g/kWh\n0,nan\n"), HasSubstr("line 2"));
  EXPECT_THAT(refusal("time,g/kWh\n60,1\n"), HasSubstr("begins only in 1 min"));
  EXPECT_THAT(refusal("time\n0\n"), HasSubstr("two columns"));
  EXPECT_THAT(refusal("time,g/kWh\n"), HasSubstr("no forecast"));
  EXPECT_THAT(refusal(""), HasSubstr("empty"));
}

TEST(Forecast, ConvertsWhatItsUnitSays) {
  struct Read {
    const char* column;
    double one;  // what 1 becomes
    const char* unit;
  };
  for (const auto& [column, one, unit] :
       {Read{"carbon (kgCO2/kWh)", 1000, "gCO2/kWh"},
        Read{"carbon [kg CO2eq / MWh]", 1, "gCO2/kWh"},
        Read{"Carbon intensity gCO₂eq/kWh (direct)", 1, "gCO2/kWh"},
        Read{"tCO2/MWh", 1000, "gCO2/kWh"}, Read{"g per kWh", 1, "g/kWh"},
        Read{"carbon (lbs/MWh)", 0.45359237, "g/kWh"}, Read{"price (EUR/MWh)", 0.001, "EUR/kWh"},
        Read{"price (€/kWh)", 1, "€/kWh"}, Read{"CHF/kwh", 1, "CHF/kWh"},
        Read{"price [ct/kWh]", 1, "ct/kWh"}}) {
    const Forecast forecast = parse("time," + std::string(column) + "\n0,1\n");
    EXPECT_DOUBLE_EQ(forecast.per_kwh.at(0), one) << column;
    EXPECT_EQ(forecast.unit, unit) << column;
  }
}

TEST(Forecast, RefusesAUnitThatItDoesNotKnow) {
  for (const std::string column : {"carbon", "price", "load (MW)", "price (EUR)", "EUR/kg",
                                   "carbon (mg/kWh)", "kWh/kWh", "g/kW"}) {
    const std::string said = refusal("time," + column + "\n0,1\n");
    EXPECT_THAT(said, HasSubstr("the column '" + column + "' has no unit that is known"));
  }
}

TEST(Forecast, IsOfTheKindThatIsNeeded) {
  const auto said = [](const std::string& column, ForecastKind needed) {
    return std::string(error_of([&] {
                         parse_forecast("time," + column + "\n0,1\n", "f.csv", kNow, needed);
                       }).what());
  };
  EXPECT_THAT(said("price (EUR/MWh)", ForecastKind::carbon),
              HasSubstr("f.csv: the column 'price (EUR/MWh)' has prices (EUR/MWh), and carbon"));
  EXPECT_THAT(
      said("kgCO2/kWh", ForecastKind::price),
      HasSubstr("f.csv: the column 'kgCO2/kWh' has carbon dioxide (kgCO2/kWh), and a price"));
}

TEST(Forecast, OnlyPricesMayBeNegative) {
  EXPECT_THAT(refusal("time,gCO2/kWh\n0,1\n60,-2\n"), HasSubstr("line 3: -2 is negative"));
  EXPECT_THAT(parse("time,EUR/kWh\n0,-2\n").per_kwh, ElementsAre(-2));
}

}  // namespace
}  // namespace ampere
