#include <fmt/format.h>

#include "ampere/model.h"
#include "ampere/widths.h"
#include "base/json.h"
#include "base/json_text.h"
#include "commands.h"
#include "options.h"
#include "print.h"

namespace ampere {
namespace {

std::string option_text(const ZooEntry& entry) {
  std::string text;
  for (const ZooOption& option : entry.options)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", option.key, option.default_value);
  return text;
}

void list_models(bool json) {
  std::vector<std::vector<std::string>> rows{
      {"name", "parameters", "multiply-adds", "widths", "options", "what it is"}};
  for (const ZooEntry& entry : zoo()) {
    const Model model = make_zoo_model(entry.name);
    const std::int64_t parameters = count(model, 1).parameters;
    const std::size_t widths = free_widths(model).size();
    if (json) {
      Json options = Json::object();
      for (const ZooOption& option : entry.options) options[option.key] = option.default_value;
      fmt::print("{}\n", json_text(Json{{"name", entry.name},
                                        {"description", entry.description},
                                        {"parameters", parameters},
                                        {"multiply_adds", multiply_adds(model)},
                                        {"widths", widths},
                                        {"options", std::move(options)}}));
    } else {
      rows.push_back({entry.name, fmt::format("{}", parameters),
                      large_count(static_cast<double>(multiply_adds(model))),
                      std::to_string(widths), option_text(entry), entry.description});
    }
  }
  if (!json) print_table(rows);
}

}  // namespace

void add_models(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("models", "Lists the networks of the zoo");
  add_json_flag(*command, *json);
  add_wide_flag(*command);
  add_example(*command, "ampere models");
  command->callback([json] { list_models(*json); });
}

}  // namespace ampere
