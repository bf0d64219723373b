#include "base/long_texts.h"

#include <fmt/format.h>

#include <functional>
#include <vector>

#include "ampere/error.h"

namespace ampere {
namespace {

constexpr std::size_t kLong = 256;
const std::string kLine = "line";  // counted from 1, the JSON itself being line 0

bool stands_elsewhere(const Json& json) {
  return json.is_object() && json.size() == 1 && json.begin().key() == kLine;
}

void for_each_leaf(Json& json, const std::function<void(Json&)>& visit) {
  if (!json.is_structured() || stands_elsewhere(json)) return visit(json);
  for (Json& child : json) for_each_leaf(child, visit);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace

std::string dump_with_long_texts(Json json) {
  std::string below;
  int line = 0;
  for_each_leaf(json, [&](Json& leaf) {
    const auto* text = leaf.get_ptr<const std::string*>();
    if (text == nullptr || text->size() < kLong || text->find('\n') != std::string::npos) return;
    below += '\n';
    below += *text;
    leaf = Json{{kLine, ++line}};
  });
  return json.dump() + below;
}

Json parse_with_long_texts(std::string_view text, const std::string& origin) {
  const std::vector<std::string_view> lines = lines_of(text);
  Json json = parse_json(lines.front(), origin);
  for_each_leaf(json, [&](Json& leaf) {
    if (!stands_elsewhere(leaf)) return;
    const Json& line = leaf.front();
    if (!line.is_number_integer() || line.get<std::int64_t>() < 1 ||
        line.get<std::int64_t>() >= static_cast<std::int64_t>(lines.size()))
      throw Error(ErrorCode::usage, fmt::format("{}: line {} is not there; the text was cut off",
                                                origin, line.dump()));
    leaf = lines[line.get<std::size_t>()];
  });
  return json;
}

}  // namespace ampere
