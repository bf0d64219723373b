#include "settings.h"

#include <fmt/format.h>
#include <toml++/toml.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "ampere/error.h"
#include "base/read_file.h"
#include "base/text.h"

extern char** environ;

namespace ampere {
namespace {

using Assign = std::function<void(Settings&, const std::string& value, const std::string& where)>;
struct Key {
  std::string name;
  Assign assign;
};

Key text_key(const char* name, std::string Settings::*member) {
  return {name, [member](Settings& settings, const std::string& value, const std::string&) {
            settings.*member = value;
          }};
}

Key number_key(const char* name, double Settings::*member) {
  return {name, [member](Settings& settings, const std::string& value, const std::string& where) {
            settings.*member = parse_number(value, where);
          }};
}

Key integer_key(const char* name, std::int64_t Settings::*member) {
  return {name, [member](Settings& settings, const std::string& value, const std::string& where) {
            settings.*member = parse_integer(value, where);
          }};
}

const std::vector<Key>& keys() {
  static const std::vector<Key> all{
      text_key("store", &Settings::store),
      text_key("rig", &Settings::rig),
      text_key("meter", &Settings::meter),
      text_key("runner", &Settings::runner),
      text_key("python", &Settings::python),
      integer_key("batch", &Settings::batch),
      text_key("optimizer", &Settings::optimizer),
      number_key("confidence", &Settings::confidence),
      number_key("carbon", &Settings::carbon_g_per_kwh),
      number_key("price", &Settings::price_per_kwh),
  };
  return all;
}

void set(Settings& settings, const std::string& name, const std::string& value,
         const std::string& where, std::vector<std::string>& warnings) {
  std::vector<std::string> names;
  for (const Key& key : keys()) {
    if (key.name == name) return key.assign(settings, value, where);
    names.push_back(key.name);
  }
  warnings.push_back(fmt::format("{}: not a setting of ampere{}", where, suggestion(name, names)));
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string plain_text(const toml::node& node, const std::string& where) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto integer = node.value_exact<std::int64_t>()) return std::to_string(*integer);
  if (const auto number = node.value_exact<double>()) return fmt::format("{}", *number);
  throw Error(ErrorCode::usage, fmt::format("{}: must be text or a number", where));
}

void read_file(Settings& settings, const std::string& path, std::vector<std::string>& warnings) {
  if (!std::filesystem::exists(path)) return;
  try {
    const toml::table table = toml::parse(ampere::read_file(path, kLargestSettings));
    for (const auto& [key, node] : table) {
      const std::string name(key.str()), where = fmt::format("{}: {}", path, name);
      set(settings, name, plain_text(node, where), where, warnings);
    }
  } catch (const toml::parse_error& error) {
    throw Error(ErrorCode::usage, fmt::format("{}: line {}: {}", path, error.source().begin.line,
                                              error.description()));
  }
}

// Variables with our prefix that are no settings.
constexpr std::array<std::string_view, 6> kOfOthers{
    "program",           // where the Python package and the scripts find this program
    "pass_environment",  // see base/child_environment.h
    "diff_before",       // of scripts/ampere-diff-action
    "diff_after",        // of the same
    "diff_options",      // of the same
    "folder",            // of the example in docs/diff.md
};

void read_environment(Settings& settings, std::vector<std::string>& warnings) {
  constexpr std::string_view kPrefix = "AMPERE_";
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (!text.starts_with(kPrefix) || equals == std::string_view::npos) continue;
    const std::string name =
        lower_case(std::string(text.substr(kPrefix.size(), equals - kPrefix.size())));
    if (std::ranges::find(kOfOthers, name) != kOfOthers.end()) continue;
    set(settings, name, std::string(text.substr(equals + 1)), std::string(text.substr(0, equals)),
        warnings);
  }
}

std::string user_folder(const char* variable, const char* below_home) {
  const std::string folder = environment(variable);
  return folder.empty() ? environment("HOME") + below_home : folder;
}

}  // namespace

Settings load_settings(std::vector<std::string>& warnings) {
  Settings settings;
  settings.store = "sqlite:" + user_folder("XDG_DATA_HOME", "/.local/share") + "/ampere/store.db";
  read_file(settings, user_folder("XDG_CONFIG_HOME", "/.config") + "/ampere/config.toml", warnings);
  read_file(settings, "ampere.toml", warnings);
  read_environment(settings, warnings);
  return settings;
}

}  // namespace ampere
