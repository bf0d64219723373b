#include "toml_file.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <sstream>

#include "ampere/error.h"
#include "base/read_file.h"

namespace ampere {
namespace {

template <class Value>
std::string written(const Value& value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

Json json_of(const toml::node& node) {
  if (const auto* table = node.as_table()) {
    Json object = Json::object();
    for (const auto& [key, value] : *table) object[std::string(key.str())] = json_of(value);
    return object;
  }
  if (const auto* array = node.as_array()) {
    Json list = Json::array();
    for (const toml::node& value : *array) list.push_back(json_of(value));
    return list;
  }
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return number->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* truth = node.as_boolean()) return truth->get();
  if (const auto* moment = node.as_date_time()) return written(moment->get());
  if (const auto* day = node.as_date()) return written(day->get());
  return written(node.as_time()->get());
}

}  // namespace

Json load_toml(const std::string& path) {
  try {
    return json_of(toml::parse(read_file(path, kLargestSettings), path));
  } catch (const toml::parse_error& error) {
    throw Error(ErrorCode::usage, fmt::format("{}:{}: {}", path, error.source().begin.line,
                                              std::string(error.description())));
  }
}

}  // namespace ampere
