#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ampere/error.h"
#include "base/json.h"
#include "base/text.h"
#include "block/fragment.h"
#include "method/kernels/cut/describe.h"
#include "method/kernels/cut/operators.h"
#include "method/kernels/kernel.h"

namespace ampere {
namespace {

constexpr int kRulesVersion = 1;

bool is_operator(const std::string& name) {
  const auto& names = operator_names();
  return name == kSqueezeExcite || std::ranges::find(names, name) != names.end();
}

// What other people call the operators that have several names.
std::string usual_name(const std::string& name) {
  static const std::map<std::string, std::string> names{{"relu6", "relu"},
                                                        {"se", kSqueezeExcite},
                                                        {"hardswish", "hswish"},
                                                        {"channelshuffle", "channel-shuffle"},
                                                        {"hard-swish", "hswish"},
                                                        {"globalavgpool", "global-avgpool"},
                                                        {"linear", "fc"},
                                                        {"global-avg-pool", "global-avgpool"},
                                                        {"depthwise-conv", "dwconv"}};
  const auto known = names.find(name);
  return known == names.end() ? name : known->second;
}

void check_operator(const std::string& name, const std::string& origin) {
  if (!is_operator(name) || name == kSqueezeExcite)
    throw Error(ErrorCode::usage, fmt::format("{}: there is no operator '{}'{}", origin, name,
                                              suggestion(name, operator_names())));
}

void add_sequence(FusionRules& rules, std::string_view text, const std::string& origin) {
  const std::vector<std::string> operators = split(text, '+');
  if (operators.size() < 2)
    throw Error(ErrorCode::usage,
                fmt::format("{}: '{}' is no fusion: write two operators or more, as conv+relu",
                            origin, text));
  for (const std::string& name : operators) check_operator(name, origin);
  for (std::size_t i = 0; i + 1 < operators.size(); ++i)
    rules.pairs.insert({operators[i], operators[i + 1]});
}

FusionRules parse_rules_json(const std::string& text, const std::string& origin) {
  const Json json = parse_json(text, origin);
  const JsonField field(json, origin + ": ");
  if (field.at("version").integer() != kRulesVersion)
    field.at("version").fail("was written by another version of ampere");
  FusionRules rules;
  for (const JsonField& item : field.at("fused").items())
    add_sequence(rules, item.text(), item.path());
  rules.squeeze_excite = field.at("squeeze_excite").boolean();
  return rules;
}

std::vector<std::string> sequences(const FusionRules& rules) {
  std::vector<std::string> texts;
  for (const auto& [first, second] : rules.pairs) texts.push_back(first + "+" + second);
  return texts;
}

Model alone(const Model& model, std::vector<int> layers) { return make_fragment(model, layers); }

// Where a pair stands.
struct Place {
  const Model* model;
  int first, second;
  double elements, flops;  // that the first gives and takes

  // The second's size, times its share in the two.
  double clearness() const { return elements * elements / std::max(flops, elements); }
};

bool is_pair(const Model& model, int first, int second) {
  return !is_free(model.layers()[first].op) && works_number_by_number(model.layers()[second].op);
}

}  // namespace

FusionRules default_fusion_rules() {
  FusionRules rules;
  for (const char* sequence :
       {"conv+bn+relu", "conv+relu", "dwconv+bn+relu", "dwconv+relu", "gconv+bn+relu", "gconv+relu",
        "convtranspose+bn+relu", "convtranspose+relu", "fc+bn", "fc+relu", "add+relu"})
    add_sequence(rules, sequence, "default");
  return rules;
}

std::string to_text(const FusionRules& rules) {
  std::vector<std::string> texts = sequences(rules);
  if (rules.squeeze_excite) texts.emplace_back(kSqueezeExcite);
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ", ") + text;
  return joined;
}

std::string to_json(const FusionRules& rules) {
  return Json{{"version", kRulesVersion},
              {"fused", sequences(rules)},
              {"squeeze_excite", rules.squeeze_excite}}
      .dump();
}

FusionRules parse_fusion_rules(const std::string& text, const std::string& origin) {
  if (trim(text).starts_with('{')) return parse_rules_json(text, origin);
  FusionRules rules{{}, false};
  if (trim(text).empty()) return rules;
  for (const std::string& part : split(text, ',')) {
    const std::string_view rule = trim(part);
    if (rule == kSqueezeExcite)
      rules.squeeze_excite = true;
    else
      add_sequence(rules, rule, origin);
  }
  return rules;
}

std::vector<FusionCandidate> fusion_candidates(std::span<const Model> networks) {
  std::map<OperatorPair, std::vector<Place>> places;
  for (const Model& model : networks) {
    const auto readers = readers_of(model);
    for (int first = 0; first < static_cast<int>(readers.size()); ++first) {
      if (readers[first].size() != 1 || !is_pair(model, first, readers[first].front())) continue;
      const Layer &one = model.layers()[first], &two = model.layers()[readers[first].front()];
      places[{operator_name(one, model), operator_name(two, model)}].push_back(
          {&model, first, readers[first].front(), static_cast<double>(one.output.elements()),
           static_cast<double>(count(one, model, 1).forward_flops)});
    }
  }
  std::vector<FusionCandidate> candidates;
  for (const auto& [pair, all] : places) {
    const Place& place = *std::ranges::max_element(all, {}, &Place::clearness);
    candidates.push_back({pair, alone(*place.model, {place.first, place.second}),
                          alone(*place.model, {place.first}), alone(*place.model, {place.second})});
  }
  return candidates;
}

double fusion_margin(double together, double first, double second) {
  for (const double cost : {together, first, second})
    if (!std::isfinite(cost) || cost <= 0)
      throw Error(ErrorCode::usage,
                  fmt::format("a fusion is decided by costs above 0, not by {}", cost));
  return first + second - together - std::min(first, second) / 2;
}

bool is_fused(double together, double first, double second) {
  return fusion_margin(together, first, second) > 0;
}

std::string canonical_kernel_type(const std::string& text) {
  std::string type;
  for (const char letter : trim(text)) {
    if (letter == '+' && type.ends_with('+')) continue;
    type +=
        letter == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  const char separator = type.find('+') != std::string::npos ? '+' : '-';
  if (separator == '-' && is_operator(usual_name(type))) return usual_name(type);
  std::string joined;
  for (const std::string& part : split(type, separator)) {
    const std::string name = usual_name(part);
    if (separator == '-' && !is_operator(name)) return type;
    joined += (joined.empty() ? "" : "+") + name;
  }
  return joined;
}

}  // namespace ampere
