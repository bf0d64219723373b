#include "forecast/forecast_unit.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "base/text.h"

namespace ampere {
namespace {

using Factor = std::pair<std::string_view, double>;

constexpr std::array kGrams{Factor{"kg", 1e3}, Factor{"lbs", 453.59237}, Factor{"lb", 453.59237},
                            Factor{"g", 1}, Factor{"t", 1e6}};
// Kilowatt-hours in one.
constexpr std::array kEnergies{Factor{"kwh", 1.}, Factor{"mwh", 1e3}, Factor{"gwh", 1e6}};
// Behind a mass: of what it is.
constexpr std::array<std::string_view, 6> kGases{"", "co2", "co2e", "co2eq", "co2-eq", "co2equiv"};
constexpr std::array<std::string_view, 14> kCurrencies{
    "€", "$", "£", "¥", "₹", "ct", "¢", "cent", "cents", "euro", "euros", "dollar", "dollars", "p"};

const Factor* find(const auto& factors, std::string_view name) {
  const auto found = std::ranges::find(factors, name, &Factor::first);
  return found == factors.end() ? nullptr : &*found;
}

std::optional<double> grams_in(std::string_view mass) {
  for (const auto& [name, grams] : kGrams)
    if (mass.starts_with(name) &&
        std::ranges::find(kGases, mass.substr(name.size())) != kGases.end())
      return grams;
  return std::nullopt;
}

// A word of the list, or three letters such as EUR.
bool is_currency(std::string_view text) {
  if (std::ranges::find(kCurrencies, text) != kCurrencies.end()) return true;
  return text.size() == 3 && find(kEnergies, text) == nullptr &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isalpha(c) != 0; });
}

}  // namespace

std::optional<ForecastUnit> parse_forecast_unit(std::string_view text) {
  const std::string plain = replaced(replaced(std::string(text), " per ", "/"), "₂", "2");
  const std::size_t slash = plain.find('/');
  if (slash == plain.npos) return std::nullopt;
  const std::string over(trim(std::string_view(plain).substr(0, slash)));
  const std::string under =
      lower_case(std::string(trim(std::string_view(plain).substr(slash + 1))));
  const Factor* energy = find(kEnergies, under);
  if (energy == nullptr) return std::nullopt;
  const std::string name = lower_case(replaced(over, " ", ""));
  if (const auto grams = grams_in(name))
    return ForecastUnit{ForecastKind::carbon, *grams / energy->second,
                        name.find("co2") == name.npos ? "g/kWh" : "gCO2/kWh",
                        std::string(trim(text))};
  if (is_currency(name))
    return ForecastUnit{ForecastKind::price, 1 / energy->second, over + "/kWh",
                        std::string(trim(text))};
  return std::nullopt;
}

std::optional<ForecastUnit> unit_of_column(const std::string& column) {
  const std::size_t open = column.find_first_of("([");
  const std::size_t close = column.find_last_of(")]");
  std::vector<std::string> texts;
  if (open != column.npos && close != column.npos && open < close)
    texts.push_back(column.substr(open + 1, close - open - 1));
  texts.push_back(column);
  for (const std::string& word : split(column, ' ')) texts.push_back(word);
  for (const std::string& text : texts)
    if (const auto unit = parse_forecast_unit(text)) return unit;
  return std::nullopt;
}

}  // namespace ampere
