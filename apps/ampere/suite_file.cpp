#include "suite_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <span>

#include "ampere/error.h"
#include "base/json.h"
#include "base/json_text.h"
#include "base/read_file.h"
#include "base/text.h"
#include "script_argument.h"
#include "setup/asked_setup.h"

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

void check_keys(const toml::table& table, std::span<const std::string> known,
                const std::string& where) {
  for (const auto& [key, value] : table)
    if (std::ranges::find(known, key.str()) == known.end())
      throw Error(ErrorCode::usage,
                  fmt::format("{}: {} is not known{} (there are {})", where, std::string(key.str()),
                              suggestion(std::string(key.str()), known), fmt::join(known, ", ")));
}

// "network densenet121, batch 32": what the arguments are, in a fixed order.
std::string name_of(const std::string& script, const Json& arguments) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : arguments.items())
    parts.push_back(
        fmt::format("{} {}", name, value.is_string() ? value.get<std::string>() : value.dump()));
  return parts.empty() ? script : fmt::format("{}", fmt::join(parts, ", "));
}

const toml::table& table_of(const toml::node& node, const std::string& where) {
  if (const toml::table* table = node.as_table()) return *table;
  throw Error(ErrorCode::usage, where + " is not a table");
}

std::string suite_text(const Json& json, const std::string& key, const std::string& where) {
  if (!json.contains(key) || !json.at(key).is_string())
    throw Error(ErrorCode::usage,
                fmt::format("{}: {} is missing (a network, \"resnet18\")", where, key));
  return json.at(key).get<std::string>();
}

// Every combination of the table's values, each with its setup.
struct Combination {
  Json values;
  Setup setup;
};

std::vector<Combination> setups_of(const toml::table& table, const std::string& where) {
  std::vector<Combination> result;
  for (Json& values : combinations(choices_of(table, where), where)) {
    const Setup setup = read_asked_setup({values, where + ": "});
    result.push_back({std::move(values), setup});
  }
  return result;
}

// A model is an entry for each of its setups.
void add_models(const toml::node& node, const std::string& where,
                const std::filesystem::path& folder, Suite& suite) {
  const toml::table& table = table_of(node, where);
  std::vector<std::string> known{"model"};
  known.insert(known.end(), setup_keys().begin(), setup_keys().end());
  check_keys(table, known, where);
  for (const Combination& each : setups_of(table, where)) {
    const std::string spec = suite_text(each.values, "model", where);
    const bool is_file = spec.ends_with(".json") || spec.ends_with(".onnx");
    try {
      Model model = is_file ? open_model((folder / spec).string()) : open_zoo_model(spec);
      suite.entries.push_back(
          {name_of(spec, each.values), TraceRequest::Network{std::move(model), each.setup}});
    } catch (const Error& error) {
      throw error.saying(fmt::format("{}: {}", where, error.what()));
    }
  }
}

std::int64_t whole_number(const toml::node& node, std::int64_t most, const std::string& where) {
  const auto* number = node.as_integer();
  if (number == nullptr || number->get() < 1 || number->get() > most)
    throw Error(ErrorCode::usage, fmt::format("{} is no number from 1 to {}", where, most));
  return number->get();
}

double above_zero(const toml::node& node, const std::string& where) {
  const std::optional<double> number = node.value<double>();
  if (!number || !(*number > 0) || !std::isfinite(*number))
    throw Error(ErrorCode::usage, where + " is no number above 0");
  return *number;
}

std::vector<std::string> method_names(const toml::node& node, const std::string& where) {
  std::vector<std::string> names;
  if (const toml::array* list = node.as_array())
    for (const toml::node& each : *list) {
      const auto* name = each.as_string();
      if (name == nullptr) throw Error(ErrorCode::usage, where + ": is no list of names");
      names.push_back(name->get());
    }
  if (names.empty()) throw Error(ErrorCode::usage, where + " is no list of names");
  return names;
}

void add_families(const toml::node& node, const std::string& where, SuiteFile& file) {
  constexpr std::int64_t kMostNetworks = 100000;
  toml::table table = table_of(node, where);
  std::vector<std::string> known{"family", "networks", "methods", "seconds"};
  known.insert(known.end(), setup_keys().begin(), setup_keys().end());
  check_keys(table, known, where);
  SuiteFamily common;
  if (const toml::node* networks = table.get("networks"))
    common.networks =
        static_cast<int>(whole_number(*networks, kMostNetworks, where + ": networks"));
  if (const toml::node* seconds = table.get("seconds"))
    common.seconds = Seconds(above_zero(*seconds, where + ": seconds"));
  if (const toml::node* methods = table.get("methods"))
    common.methods = method_names(*methods, where + ": methods");
  for (const char* key : {"networks", "seconds", "methods"}) table.erase(key);
  for (const Combination& each : setups_of(table, where)) {
    common.family = suite_text(each.values, "family", where);
    common.setup = each.setup;
    try {
      open_zoo_model(common.family);
    } catch (const Error& error) {
      throw error.saying(fmt::format("{}: {}", where, error.what()));
    }
    file.families.push_back(common);
  }
}

DataSheet read_sheet(const toml::node& node, const std::string& where) {
  const toml::table& table = table_of(node, where);
  const std::vector<std::string> known{"watts", "fp32_flops", "half_flops", "bytes_per_s"};
  check_keys(table, known, where);
  std::vector<double> numbers;
  for (const std::string& key : known) {
    const toml::node* number = table.get(key);
    if (number == nullptr) throw Error(ErrorCode::usage, where + ": " + key + " is missing");
    numbers.push_back(above_zero(*number, where + ": " + key));
  }
  return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

void add_steps(const toml::node& node, const std::string& where,
               const std::filesystem::path& folder, Suite& suite) {
  const toml::table* table = &table_of(node, where);
  const toml::node* step = table->get("script");
  if (step == nullptr || !step->is_string())
    throw Error(ErrorCode::usage, where + ": script is missing (\"train.py:build\")");
  check_keys(*table, std::vector<std::string>{"script", "arguments"}, where);
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

SuiteFile load_suite(const std::string& path) {
  const std::string text = read_file(path, kLargestSuite);
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  SuiteFile file;
  file.steps.name = std::filesystem::path(path).stem().string();
  try {
    const toml::table table = toml::parse(text, path);
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (name == "data_sheet") {
        file.sheet = read_sheet(node, path + ": data_sheet");
        continue;
      }
      if ((name != "steps" && name != "models" && name != "families") || !node.is_array())
        throw Error(ErrorCode::usage,
                    fmt::format("{}: {} is not known; a suite has entries [[steps]], [[models]] "
                                "and [[families]], and a table [data_sheet]",
                                path, name));
      std::size_t number = 0;
      for (const toml::node& each : *node.as_array()) {
        ++number;
        if (name == "steps")
          add_steps(each, fmt::format("{}: step {}", path, number), folder, file.steps);
        else if (name == "models")
          add_models(each, fmt::format("{}: model {}", path, number), folder, file.steps);
        else
          add_families(each, fmt::format("{}: family {}", path, number), file);
      }
    }
  } catch (const toml::parse_error& error) {
    throw Error(ErrorCode::usage, fmt::format("{}:{}: {}", path, error.source().begin.line,
                                              std::string(error.description())));
  }
  if (file.steps.entries.empty() && file.families.empty())
    throw Error(ErrorCode::usage,
                path + ": there are no steps; write [[steps]], [[models]] or [[families]] entries");
  std::set<std::string> names;
  for (const SuiteEntry& entry : file.steps.entries)
    if (!names.insert(entry.name).second)
      throw Error(ErrorCode::usage, fmt::format("{}: {} occurs twice", path, entry.name));
  return file;
}

std::vector<SuitePeer> load_peers(const std::string& path, const Suite& steps) {
  std::map<std::string, SuitePeer> peers;
  int number = 0;
  for (const std::string& line : split(read_file(path, kLargestSuite), '\n')) {
    ++number;
    if (trim(line).empty()) continue;
    const std::string where = fmt::format("{}: line {}: ", path, number);
    const Json json = parse_json(line, fmt::format("{}: line {}", path, number));
    const JsonField field(json, where);
    const std::string entry = field.at("entry").text();
    if (std::ranges::find(steps.entries, entry, &SuiteEntry::name) == steps.entries.end())
      throw Error(ErrorCode::usage, fmt::format("{}'{}' is no entry of the suite", where, entry));
    SuitePeer& peer = peers[field.at("peer").text()];
    peer.name = field.at("peer").text();
    if (!field.has("time_s") && !field.has("energy_j") && !field.has("failure"))
      throw Error(ErrorCode::usage, where + "there is neither time_s nor energy_j");
    for (const auto& [key, values] :
         {std::pair{"time_s", &peer.time_s}, std::pair{"energy_j", &peer.energy_j}}) {
      if (!field.has(key)) continue;
      const double value = field.at(key).number();
      if (!(value > 0)) field.at(key).fail("is not above 0");
      (*values)[entry] = value;
    }
  }
  std::vector<SuitePeer> result;
  for (auto& [name, peer] : peers) result.push_back(std::move(peer));
  return result;
}

}  // namespace ampere
