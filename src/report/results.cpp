#include "report/results.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "ampere/evaluate.h"
#include "base/text.h"
#include "report/evaluate_json.h"
#include "report/report.h"

namespace ampere {
namespace {

const std::string kEvaluation = "evaluation ";  // how the documents of evaluations begin
const std::string kPruning = "pruning ";

// Those whose names begin so, each made JSON text.
template <class Write>
std::vector<ReportItem> stored(const Store& store, const std::string& beginning, Write write) {
  std::vector<ReportItem> items;
  for (const ProfileRow& row : store.profiles())
    for (const StoredDocument& document : store.documents(row.id))
      if (document.name.starts_with(beginning))
        items.push_back({document.name, std::to_string(row.id), write(document)});
  return items;
}

void check_numbers(const JsonField& list) {
  for (const JsonField& item : list.items()) item.number();
}

void check_objects(const JsonField& object) {
  for (const std::string& key : object.keys())
    if (object.has(key)) object.at(key).keys();
}

void check_device(const JsonField& json) { json.at("device").at("name").text(); }

void check_pruned(const JsonField& json) {
  json.at("model").text();
  const JsonField widths = json.at("widths");
  for (const std::string& name : widths.keys()) widths.at(name).integer();
  json.at("estimated_j_per_iteration").at("mean").number();
  if (json.has("measured_j_per_iteration")) json.at("measured_j_per_iteration").number();
  if (json.has("epochs"))
    for (const JsonField& epoch : json.at("epochs").items()) epoch.at("loss").number();
}

// The text up to the end of its first object or list; the rest stays.
std::string_view cut_value(std::string_view& text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') {
      ++i;
      continue;
    }
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth <= 0) {
      const std::string_view value = text.substr(0, i + 1);
      text.remove_prefix(i + 1);
      return value;
    }
  }
  return std::exchange(text, {});
}

// What evaluations of several families end with: scores over all of them, of no networks of its
// own.
bool is_summary(const Json& value) {
  return value.is_object() && value.contains("methods") && !value.contains("networks");
}

}  // namespace

std::vector<ReportItem> stored_evaluations(const Store& store) {
  return stored(store, kEvaluation, [](const StoredDocument& document) {
    return evaluation_json(parse_evaluation(document.text, document.name)).dump();
  });
}

std::vector<ReportItem> stored_prunings(const Store& store) {
  return stored(store, kPruning, [](const StoredDocument& document) { return document.text; });
}

std::string pruning_name(const std::string& what) { return kPruning + what; }

std::vector<ReportItem> read_results(std::string_view text, const std::string& origin) {
  std::vector<ReportItem> items;
  const auto take = [&](const Json& value) {
    if (!is_summary(value)) items.push_back({origin, "", value.dump()});
  };
  for (std::string_view rest = trim(text); !rest.empty(); rest = trim(rest)) {
    const Json value = parse_json(cut_value(rest), origin);
    if (value.is_array())
      std::ranges::for_each(value, take);
    else
      take(value);
  }
  if (items.empty())
    throw Error(ErrorCode::usage,
                fmt::format("{}: is empty; it must hold results as JSON", origin));
  return items;
}

void check_evaluation(const JsonField& json) {
  json.at("family").text();
  if (json.has("batch")) json.at("batch").integer();  // the steps of a suite have their own
  check_device(json);
  json.at("source").text();
  check_objects(json.at("methods"));
  for (const JsonField& network : json.at("networks").items()) {
    network.at("model").text();
    check_numbers(network.at("measured_j_per_iteration"));
    check_numbers(network.at("measured_s_per_iteration"));
    check_objects(network.at("estimates"));
  }
}

void check_pruning(const JsonField& json) {
  json.at("model").text();
  check_device(json);
  json.at("budget_j_per_iteration").number();
  check_pruned(json.at("original"));
  check_pruned(json.at("pruned"));
  for (const JsonField& other : json.at("others").items()) check_pruned(other);
}

void check_choice(const JsonField& json) {
  json.at("model").text();
  json.at("samples").integer();
  json.at("objective").text();
  const std::vector<JsonField> alternatives = json.at("alternatives").items();
  for (const JsonField& each : alternatives) {
    each.at("name").text();
    each.at("front").boolean();
    for (const char* cost : {"energy_j", "time_s"})
      if (each.has(cost))
        for (const char* end : {"mean", "low", "high"}) each.at(cost).at(end).number();
  }
  for (const char* which : {"best", "knee", "least_energy", "least_time"}) {
    if (!json.has(which)) continue;
    const std::int64_t at = json.at(which).integer();
    if (at < 0 || at >= static_cast<std::int64_t>(alternatives.size()))
      json.at(which).fail("is no position in the list of alternatives");
  }
}

void check_generated(const JsonField& json) {
  json.at("model").text();
  check_device(json);
  for (const char* number : {"prompt", "new_tokens"}) json.at(number).integer();
  for (const char* text : {"number_format", "method", "source"}) json.at(text).text();
  json.at("limits").keys();
  const auto check_cost = [](const JsonField& owner, const char* key) {
    for (const char* end : {"mean", "low", "high"}) owner.at(key).at(end).number();
  };
  for (const JsonField& batch : json.at("batches").items()) {
    batch.at("batch").integer();
    for (const char* key :
         {"energy_j_per_prompt_token", "time_to_first_token_s", "energy_j", "time_s"})
      check_cost(batch, key);
    for (const char* key :
         {"energy_j_per_new_token", "time_between_tokens_s", "time_of_slowest_token_s"})
      if (batch.has(key)) check_cost(batch, key);
    for (const JsonField& each : batch.at("contexts").items()) {
      each.at("context").integer();
      check_cost(each, "energy_j_per_token");
      check_cost(each, "time_s");
    }
    batch.at("inside").keys();
  }
  for (const JsonField& warning : json.at("warnings").items()) warning.text();
}

void check_estimate(const JsonField& json) {
  json.at("model").text();
  json.at("batch").integer();
  check_device(json);
  for (const JsonField& part : json.at("parts").items()) part.at("kind").text();
}

}  // namespace ampere
