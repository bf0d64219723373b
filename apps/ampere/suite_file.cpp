#include "suite_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <filesystem>
#include <set>

#include "ampere/error.h"
#include "base/json.h"
#include "base/json_text.h"
#include "base/read_file.h"
#include "script_argument.h"

namespace ampere {
namespace {

constexpr std::size_t kLargestSuite = 1 << 20;
constexpr std::size_t kMostEntries = 10000;

Json json_of(const toml::node& node, const std::string& where) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return number->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* truth = node.as_boolean()) return truth->get();
  throw Error(ErrorCode::usage, where + " is neither a text nor a number nor true or false");
}

// By name, every value that an argument takes.
using ArgumentValues = std::vector<std::pair<std::string, std::vector<Json>>>;

ArgumentValues choices_of(const toml::table& table, const std::string& where) {
  ArgumentValues choices;
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    const std::string at = fmt::format("{}: {}", where, name);
    std::vector<Json> values;
    if (const toml::array* list = node.as_array()) {
      for (const toml::node& each : *list) values.push_back(json_of(each, at));
      if (values.empty()) throw Error(ErrorCode::usage, at + " is an empty list");
    } else {
      values.push_back(json_of(node, at));
    }
    choices.emplace_back(name, std::move(values));
  }
  return choices;
}

// Every combination, the last argument changing fastest.
std::vector<Json> combinations(const ArgumentValues& choices, const std::string& where) {
  std::vector<Json> all{Json::object()};
  for (const auto& [name, values] : choices) {
    std::vector<Json> longer;
    for (const Json& arguments : all)
      for (const Json& value : values) {
        longer.push_back(arguments);
        longer.back()[name] = value;
      }
    all = std::move(longer);
    if (all.size() > kMostEntries)
      throw Error(ErrorCode::usage, fmt::format("{}: more than {} steps", where, kMostEntries));
  }
  return all;
}

// "network densenet121, batch 32": what the arguments are, in a fixed order.
std::string name_of(const std::string& script, const Json& arguments) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : arguments.items())
    parts.push_back(
        fmt::format("{} {}", name, value.is_string() ? value.get<std::string>() : value.dump()));
  return parts.empty() ? script : fmt::format("{}", fmt::join(parts, ", "));
}

void add_steps(const toml::node& node, const std::string& where,
               const std::filesystem::path& folder, Suite& suite) {
  const toml::table* table = node.as_table();
  if (table == nullptr) throw Error(ErrorCode::usage, where + " is not a table");
  const toml::node* step = table->get("script");
  if (step == nullptr || !step->is_string())
    throw Error(ErrorCode::usage, where + ": script is missing (\"train.py:build\")");
  for (const auto& [key, value] : *table)
    if (key.str() != "script" && key.str() != "arguments")
      throw Error(ErrorCode::usage,
                  fmt::format("{}: {} is not known (there are script and arguments)", where,
                              std::string(key.str())));
  const std::string text = step->as_string()->get();
  const auto script = script_argument((folder / text).string(), {});
  if (!script)
    throw Error(ErrorCode::usage, fmt::format("{}: {} is not a FILE.py:FUNCTION", where, text));
  ArgumentValues choices;
  if (const toml::node* arguments = table->get("arguments")) {
    if (!arguments->is_table()) throw Error(ErrorCode::usage, where + ": arguments is not a table");
    choices = choices_of(*arguments->as_table(), where + ", arguments");
  }
  for (const Json& arguments : combinations(choices, where)) {
    Script own = *script;
    own.arguments = json_text(arguments);
    suite.entries.push_back({name_of(text, arguments), std::move(own)});
  }
}

}  // namespace

Suite load_suite(const std::string& path) {
  const std::string text = read_file(path, kLargestSuite);
  Suite suite;
  suite.name = std::filesystem::path(path).stem().string();
  try {
    const toml::table table = toml::parse(text, path);
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (name != "steps" || !node.is_array())
        throw Error(ErrorCode::usage,
                    fmt::format("{}: {} is not known; a suite has entries [[steps]]", path, name));
      std::size_t number = 0;
      for (const toml::node& each : *node.as_array())
        add_steps(each, fmt::format("{}: step {}", path, ++number),
                  std::filesystem::path(path).parent_path(), suite);
    }
  } catch (const toml::parse_error& error) {
    throw Error(ErrorCode::usage, fmt::format("{}:{}: {}", path, error.source().begin.line,
                                              std::string(error.description())));
  }
  if (suite.entries.empty())
    throw Error(ErrorCode::usage, path + ": there are no steps; write [[steps]] entries");
  std::set<std::string> names;
  for (const SuiteEntry& entry : suite.entries)
    if (!names.insert(entry.name).second)
      throw Error(ErrorCode::usage, fmt::format("{}: {} occurs twice", path, entry.name));
  return suite;
}

}  // namespace ampere
