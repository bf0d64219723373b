// How much longer operations of one name take than their part says, in logarithms, shrunk towards
// 0: Σ (y − mean of y) / (n + 4).
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ampere {

class NameEffects {
 public:
  using Table = std::map<std::string, double, std::less<>>;

  NameEffects() = default;
  explicit NameEffects(Table table) : table_(std::move(table)) {}
  // One name with overload and one deviation from the mean per operation.
  static NameEffects fit(std::span<const std::string> names, std::span<const double> deviations);

  // By the name with overload, or else without it and without the underscore of operations that
  // change their argument. Nothing for a name that was not timed. Names of other libraries have no
  // overload.
  std::optional<double> of(std::string_view name) const;
  const Table& table() const { return table_; }

 private:
  Table table_;  // names without overload have a space in front, which no name begins with
};

}  // namespace ampere
