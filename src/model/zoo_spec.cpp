#include "model/zoo_spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ampere/error.h"
#include "ampere/model.h"
#include "base/text.h"

namespace ampere {

std::string zoo_name(const std::string& name) {
  for (const ZooEntry& entry : zoo())
    if (equal_ignoring_case(entry.name, name)) return entry.name;
  return name;
}

ZooSpec parse_zoo_spec(const std::string& spec) {
  const std::size_t colon = spec.find(':');
  ZooSpec result{zoo_name(spec.substr(0, colon)), {}, {}};
  if (colon == std::string::npos) return result;
  for (const std::string& part : split(spec.substr(colon + 1), ',')) {
    const std::string item(trim(part));
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos) {
      const std::string what = fmt::format("{}: width {}", spec, result.widths.size() + 1);
      result.widths.push_back(parse_integer(item, what));
      continue;
    }
    const std::string key(trim(item.substr(0, equals)));
    const std::int64_t value =
        parse_integer(trim(std::string_view(item).substr(equals + 1)), spec + ": " + key);
    if (!result.options.emplace(key, value).second)
      throw Error(ErrorCode::usage, fmt::format("{}: '{}' is given twice", spec, key));
  }
  return result;
}

std::string to_string(const ZooSpec& spec) {
  std::vector<std::string> items;
  for (const auto& [key, value] : spec.options) items.push_back(fmt::format("{}={}", key, value));
  for (const std::int64_t width : spec.widths) items.push_back(std::to_string(width));
  return items.empty() ? spec.name : fmt::format("{}:{}", spec.name, fmt::join(items, ","));
}

}  // namespace ampere
