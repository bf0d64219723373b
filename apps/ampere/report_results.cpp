#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ampere/error.h"
#include "base/json.h"
#include "base/text.h"
#include "reports.h"
#include "sql/sql.h"

namespace ampere {
namespace {

struct ResultsReportArguments {
  ReportOutput output;
  std::vector<std::string> names, stores, files;
  bool store_given = false;
};

// One sort of results: what it is called, and how it is found and shown.
struct Sort {
  const char* what;  // as a noun
  const char* made_by;
  const char* key;   // JSON key that a NAME is compared to, besides the whole name
  const char* keys;  // its plural
  std::vector<ReportItem> (*stored)(const Store&);
  std::string (*payload)(const ReportHead&, std::span<const ReportItem>);
};
constexpr Sort kEvaluations{"evaluation", "ampere evaluate FAMILY", "family",
                            "families",   stored_evaluations,       evaluate_payload};
constexpr Sort kPrunings{"pruning",       "ampere prune MODEL --budget 50%",
                         "model",         "models",
                         stored_prunings, prune_payload};

std::vector<ReportItem> gather(const ResultsReportArguments& options, const Sort& sort) {
  std::vector<ReportItem> items;
  for (const std::string& file : options.files)
    std::ranges::move(read_results(read_text_file(file), file), std::back_inserter(items));
  if (options.files.empty() || options.store_given)
    for (const std::string& store : options.stores)
      std::ranges::move(sort.stored(*open_store(store, Access::read)), std::back_inserter(items));
  if (items.empty()) {
    std::vector<std::string> stores;
    std::ranges::transform(options.stores, std::back_inserter(stores), masked_url);
    throw Error(ErrorCode::unknown, fmt::format("there is no {} in {}; run `{}` first", sort.what,
                                                fmt::join(stores, ", "), sort.made_by));
  }
  return items;
}

std::string key_of(const ReportItem& item, const Sort& sort) {
  const Json json = parse_json(item.json, item.name);
  return JsonField(json, item.name + ": ").at(sort.key).text();
}

// The named results, in the order of the names; all results where no name is given.
std::vector<ReportItem> select(const std::vector<ReportItem>& items,
                               const std::vector<std::string>& names, const Sort& sort) {
  if (names.empty()) return items;
  std::vector<std::string> keys;
  for (const ReportItem& item : items) keys.push_back(key_of(item, sort));
  std::vector<ReportItem> selected;
  for (const std::string& name : names) {
    const std::size_t before = selected.size();
    for (std::size_t i = 0; i < items.size(); ++i)
      if (keys[i] == name || items[i].name == name) selected.push_back(items[i]);
    if (selected.size() == before)
      throw Error(ErrorCode::unknown,
                  fmt::format("there is no {} of '{}'{}", sort.what, name, suggestion(name, keys)));
  }
  return selected;
}

// "cnn5, lstm on Xavier"; many are only counted.
std::string title_of(const std::vector<ReportItem>& items, const Sort& sort) {
  constexpr std::size_t kMostNamed = 3;
  std::vector<std::string> keys, devices;
  for (const ReportItem& item : items) {
    const Json json = parse_json(item.json, item.name);
    const JsonField field(json, item.name + ": ");
    keys.push_back(field.at(sort.key).text());
    devices.push_back(field.at("device").at("name").text());
  }
  const auto list = [](std::vector<std::string> names, const char* many) {
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names.size() <= kMostNamed ? fmt::format("{}", fmt::join(names, ", "))
                                      : fmt::format("{} {}", names.size(), many);
  };
  return fmt::format("{} on {}", list(keys, sort.keys), list(devices, "devices"));
}

void report_results(const ResultsReportArguments& options, const Sort& sort) {
  check_output(options.output);
  const std::vector<ReportItem> items = select(gather(options, sort), options.names, sort);
  const ReportHead head = head_of(options.output, title_of(items, sort));
  publish(options.output, head, sort.payload(head, items));
}

void add_results_report(CLI::App& report, const Settings& settings, const std::string& words,
                        const std::string& name, const std::string& about, const Sort& sort) {
  auto options = std::make_shared<ResultsReportArguments>();
  CLI::App* command = report.add_subcommand(name, about);
  command->add_option(
      "NAME", options->names,
      fmt::format("Show only these, by their {} or whole name (default: all)", sort.key));
  options->stores = {settings.store};
  command->add_option("--store", options->stores, "Where measurements are kept; may be repeated")
      ->default_str(fmt::format("[{}]", masked_url(settings.store)))
      ->expected(1)
      ->take_all();
  command
      ->add_option("--from", options->files,
                   fmt::format("File with the output of `ampere {} --json`, instead of the store, "
                               "or besides one given with --store; may be repeated",
                               name))
      ->expected(1)
      ->take_all();
  add_output_options(*command, options->output, name, words);
  add_example(*command, fmt::format("ampere report {} --figures pictures", name));
  command->callback([command, options, &sort] {
    options->store_given = command->get_option("--store")->count() > 0;
    report_results(*options, sort);
  });
}

}  // namespace

void add_evaluate_report(CLI::App& report, const Settings& settings, const std::string& words) {
  add_results_report(
      report, settings, words, "evaluate",
      "Shows evaluations: how far the estimates of each method are from the measurements",
      kEvaluations);
}

void add_prune_report(CLI::App& report, const Settings& settings, const std::string& words) {
  add_results_report(
      report, settings, words, "prune",
      "Shows prunings: widths and energy before and after, budget, accuracy, training", kPrunings);
}

}  // namespace ampere
