#include "method/kernels/survey/findings.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "base/json.h"
#include "base/or_null.h"
#include "base/quantity_json.h"
#include "method/kernels/cut/describe.h"
#include "method/kernels/survey.h"
#include "method/kernels/survey/keys.h"

namespace ampere {
namespace {

Json statistic_json(const Quantity& statistic) {
  return {{"mean", statistic.mean}, {"standard_error", or_null(statistic.stddev)}};
}

Quantity read_statistic(const JsonField& json) {
  return {json.at("mean").number(), json.optional_number("standard_error")};
}

Json cost_json(const RunCost& cost) {
  return {{"energy_j", statistic_json(cost.energy_j)}, {"time_s", statistic_json(cost.time_s)}};
}

RunCost read_cost(const JsonField& json) {
  return {read_statistic(json.at("energy_j")), read_statistic(json.at("time_s"))};
}

Quantity read_quantity(const JsonField& json) {
  return {json.at("mean").number(), json.optional_number("stddev")};
}

FusionTest read_test(const JsonField& json) {
  FusionTest test;
  test.pair = {json.at("first").text(), json.at("second").text()};
  test.rounds = static_cast<int>(json.at("rounds").integer());
  test.fused = json.at("fused").boolean();
  test.decided = json.at("decided").boolean();
  test.note = json.text_or("note", "");
  if (test.rounds == 0) return test;
  test.together = read_cost(json.at("together"));
  test.apart_first = read_cost(json.at("first_alone"));
  test.apart_second = read_cost(json.at("second_alone"));
  return test;
}

}  // namespace

Json test_json(const FusionTest& test) {
  Json json{{"first", test.pair.first},
            {"second", test.pair.second},
            {"rounds", test.rounds},
            {"fused", test.fused},
            {"usual", default_fusion_rules().fuses(test.pair.first, test.pair.second)},
            {"decided", test.decided}};
  if (!test.note.empty()) json["note"] = test.note;
  if (test.rounds == 0) return json;
  json["together"] = cost_json(test.together);
  json["first_alone"] = cost_json(test.apart_first);
  json["second_alone"] = cost_json(test.apart_second);
  return json;
}

std::string to_json(const FusionFindings& findings) {
  Json json{{"rules", parse_json(to_json(findings.rules), "rules")}, {"tests", Json::array()}};
  for (const FusionTest& test : findings.tests) json["tests"].push_back(test_json(test));
  json["overhead"] = nullptr;
  if (findings.overhead)
    json["overhead"] = {{"energy_j", quantity_json(findings.overhead->energy_j)},
                        {"time_s", quantity_json(findings.overhead->time_s)}};
  return json.dump();
}

void put_findings(Store& store, std::int64_t profile, const FusionFindings& findings) {
  store.put_document(profile, {kFusionDocument, to_json(findings)});
}

std::optional<FusionFindings> read_fusion(const Store& store, std::int64_t profile) {
  const auto text = store.document(profile, kFusionDocument);
  if (!text) return std::nullopt;
  const std::string origin = fmt::format("fusion of profile {}", profile);
  const Json json = parse_json(*text, origin);
  const JsonField field(json, origin + ": ");
  FusionFindings findings;
  findings.rules = parse_fusion_rules(field.at("rules").json().dump(), origin);
  for (const JsonField& test : field.at("tests").items()) findings.tests.push_back(read_test(test));
  if (field.has("overhead"))
    findings.overhead = {read_quantity(field.at("overhead").at("energy_j")),
                         read_quantity(field.at("overhead").at("time_s"))};
  return findings;
}

FusionRules read_fusion_rules(const Store& store, std::int64_t profile) {
  const auto findings = read_fusion(store, profile);
  return findings ? findings->rules : default_fusion_rules();
}

// "conv+bn+relu" was cut with conv+bn and bn+relu, whatever the rules are today.
FusionRules rules_within(const std::string& type) {
  const std::string operators = type.substr(0, type.find('@'));
  if (operators == kSqueezeExcite) return {{}, true};
  if (operators.find('+') == std::string::npos) return {{}, false};
  return parse_fusion_rules(operators, type);
}

}  // namespace ampere
