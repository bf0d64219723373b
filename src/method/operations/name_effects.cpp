#include "method/operations/name_effects.h"

#include <set>

#include "program/operation_view.h"

namespace ampere {
namespace {

constexpr double kPrior = 4;  // operations without an effect, in the mean of each name

// Of an unknown name nobody can tell whether an overload follows the point, or the operation of a
// library: "torchvision.nms" says nothing about "torchvision.roi_align".
std::string key_without_overload(std::string_view name) {
  Operation named;
  named.name = name;
  if (group_of(named) == OperationGroup::other) return named.name;
  return ' ' + std::string(without_underscore(plain_name(named)));
}

}  // namespace

NameEffects NameEffects::fit(std::span<const std::string> names,
                             std::span<const double> deviations) {
  struct Sum {
    double total = 0, count = 0;
  };
  std::map<std::string, Sum, std::less<>> sums;
  for (std::size_t i = 0; i < names.size(); ++i)
    for (const std::string& key : std::set<std::string>{names[i], key_without_overload(names[i])}) {
      Sum& sum = sums[key];
      sum.total += deviations[i];
      ++sum.count;
    }
  Table table;
  for (const auto& [key, sum] : sums) table[key] = sum.total / (sum.count + kPrior);
  return NameEffects(std::move(table));
}

std::optional<double> NameEffects::of(std::string_view name) const {
  auto found = table_.find(name);
  if (found == table_.end()) found = table_.find(key_without_overload(name));
  if (found == table_.end()) return std::nullopt;
  return found->second;
}

}  // namespace ampere
