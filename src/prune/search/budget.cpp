#include <fmt/format.h>

#include <cmath>

#include "ampere/error.h"
#include "ampere/prune.h"
#include "base/amounts.h"
#include "base/text.h"

namespace ampere {
namespace {

constexpr std::string_view kTotal = "total", kBattery = "battery";

[[noreturn]] void fail(std::string_view text, const std::string& why) {
  throw Error(
      ErrorCode::usage,
      fmt::format("budget '{}': {}; expected is a share of the original (50%), an energy an "
                  "iteration (0.4J, 300mJ), an energy of the whole training (2kJ total, "
                  "1.5Wh total) or a share of a charge for it (3%battery)",
                  text, why));
}

bool take_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text = trim(text.substr(0, text.size() - suffix.size()));
  return true;
}

double positive(std::string_view number, std::string_view text) {
  double value = 0;
  try {
    value = parse_number(number, "budget");
  } catch (const Error&) {
    fail(text, fmt::format("'{}' is not a number", number));
  }
  if (!std::isfinite(value) || value <= 0) fail(text, "it must be above 0");
  return value;
}

double share(std::string_view number, std::string_view text) {
  const double value = positive(number, text) / 100;
  if (value > 1) fail(text, "a share is at most 100 %");
  return value;
}

double joules(std::string_view rest, std::string_view text) {
  const std::optional<double> unit = take_energy_unit(rest);
  if (!unit) fail(text, "it has no unit");
  const double value = positive(rest, text) * *unit;
  if (!std::isfinite(value) || value <= 0) fail(text, "there is no such energy");
  return value;
}

}  // namespace

Budget parse_budget(std::string_view text) {
  std::string_view rest = trim(text);
  if (rest.empty()) fail(text, "it is empty");
  if (take_suffix(rest, kBattery)) {
    if (!take_suffix(rest, "%")) fail(text, "of a battery it must be a share");
    return {Budget::Kind::share_of_battery, share(rest, text)};
  }
  if (take_suffix(rest, "%")) return {Budget::Kind::share_of_original, share(rest, text)};
  if (take_suffix(rest, kTotal)) return {Budget::Kind::joules_of_run, joules(rest, text)};
  return {Budget::Kind::joules_per_iteration, joules(rest, text)};
}

std::string to_string(const Budget& budget) {
  switch (budget.kind) {
    case Budget::Kind::share_of_original:
      return fmt::format("{:.4g} % of the original", 100 * budget.amount);
    case Budget::Kind::joules_per_iteration:
      return fmt::format("{:.4g} J per iteration", budget.amount);
    case Budget::Kind::joules_of_run:
      return fmt::format("{:.4g} J for the whole training", budget.amount);
    case Budget::Kind::share_of_battery:
      return fmt::format("{:.4g} % of a charge for the whole training", 100 * budget.amount);
  }
  return "?";
}

double resolve(const Budget& budget, std::optional<double> original_j,
               std::optional<std::int64_t> iterations, std::optional<double> battery_j) {
  const auto need = [&](bool given, const char* what, Remedy remedy) {
    if (!given)
      throw Error(ErrorCode::usage, fmt::format("a budget of {} needs {}", to_string(budget), what),
                  remedy);
  };
  if (budget.kind == Budget::Kind::joules_per_iteration) return budget.amount;
  if (budget.kind == Budget::Kind::share_of_original) {
    need(original_j && std::isfinite(*original_j) && *original_j > 0,
         "the energy of the original to be known", Remedy::none);
    return budget.amount * *original_j;
  }
  need(iterations && *iterations > 0, "the number of iterations", Remedy::iterations);
  const auto count = static_cast<double>(*iterations);
  if (budget.kind == Budget::Kind::joules_of_run) return budget.amount / count;
  need(battery_j && std::isfinite(*battery_j) && *battery_j > 0, "the size of the battery",
       Remedy::battery);
  return budget.amount * *battery_j / count;
}

}  // namespace ampere
