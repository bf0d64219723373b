#include "script_argument.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "ampere/error.h"
#include "base/json.h"
#include "base/text.h"
#include "options.h"

namespace ampere {
namespace {

constexpr std::string_view kScriptEnding = ".py";

Json read_value(const std::string& text) {
  Json value = Json::parse(text, nullptr, false);
  return value.is_discarded() ? Json(text) : value;
}

Json read_arguments(const std::vector<std::string>& arguments) {
  Json object = Json::object();
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    if (equals == 0 || equals == std::string::npos)
      throw Error(ErrorCode::usage,
                  fmt::format("--arg: '{}' is not NAME=VALUE, as in batch=128", argument));
    const std::string name = argument.substr(0, equals);
    if (object.contains(name))
      throw Error(ErrorCode::usage, fmt::format("--arg: {} is given twice", name));
    object[name] = read_value(argument.substr(equals + 1));
  }
  return object;
}

}  // namespace

void add_step_argument(CLI::App& command, std::string& model, std::vector<std::string>& arguments) {
  command
      .add_option("MODEL", model,
                  std::string(model_help()) +
                      "; or a training step of your own, FILE.py:FUNCTION (docs/python.md)")
      ->required();
  add_script_arguments(command, arguments);
}

void add_script_arguments(CLI::App& command, std::vector<std::string>& arguments) {
  command.add_option("--arg", arguments,
                     "Argument of the function of a script, as in batch=128; may be repeated");
}

bool is_script(const std::string& text) {
  return text.ends_with(kScriptEnding) || text.substr(0, text.rfind(':')).ends_with(kScriptEnding);
}

std::optional<Script> script_argument(const std::string& text,
                                      const std::vector<std::string>& arguments) {
  const std::size_t colon = text.rfind(':');
  const bool named = colon != std::string::npos && text.substr(0, colon).ends_with(kScriptEnding);
  if (!is_script(text)) {
    if (!arguments.empty())
      throw Error(
          ErrorCode::usage,
          fmt::format("--arg: '{}' is no script that takes arguments; write FILE.py:FUNCTION",
                      text));
    return std::nullopt;
  }
  Script script{named ? text.substr(0, colon) : text, named ? text.substr(colon + 1) : "build"};
  std::error_code none;
  if (!std::filesystem::exists(script.path, none))
    throw Error(ErrorCode::unknown, fmt::format("{}: there is no such file", script.path));
  script.path = std::filesystem::absolute(script.path).string();
  script.arguments = read_arguments(arguments).dump();
  return script;
}

std::vector<std::string> own_arguments(const std::vector<std::string>& common,
                                       const std::vector<std::string>& own) {
  const auto name = [](const std::string& argument) {
    return argument.substr(0, argument.find('='));
  };
  std::vector<std::string> arguments = common;
  std::erase_if(arguments, [&](const std::string& each) {
    return std::ranges::find(own, name(each), name) != own.end();
  });
  arguments.insert(arguments.end(), own.begin(), own.end());
  return arguments;
}

std::string given_setup_option(const CLI::App& command) {
  for (const char* option : {"--batch", "--optimizer", "--precision", "--weight-decay", "--fused",
                             "--attention", "--compile", "--accumulate", "--channels-last"})
    if (command.count(option) > 0) return option;
  return "";
}

void refuse_setup_options(const CLI::App& command) {
  refuse_setup_option(given_setup_option(command));
}

void refuse_setup_option(const std::string& option) {
  if (!option.empty())
    throw Error(ErrorCode::usage,
                fmt::format("{}: a script decides this itself; pass what it needs with --arg, as "
                            "in --arg batch=128",
                            option));
}

std::optional<Script> with_batch(const Script& script, std::int64_t batch) {
  Json arguments = Json::parse(script.arguments);
  const auto given = arguments.find("batch");
  if (given == arguments.end() || !given->is_number_integer()) return std::nullopt;
  *given = std::min(given->get<std::int64_t>(), batch);
  Script smaller = script;
  smaller.arguments = arguments.dump();
  return smaller;
}

}  // namespace ampere
