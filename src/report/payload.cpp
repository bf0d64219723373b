#include "report/payload.h"

#include "ampere/error.h"
#include "base/without_places.h"
#include "method/registry.h"
#include "report/profile_json.h"
#include "report/report.h"
#include "report/results.h"
#include "store/shareable.h"

namespace ampere {
namespace {

constexpr std::size_t kMostNetworks = 1000;  // of an evaluation

Json results(std::span<const ReportItem> items, void (*check)(const JsonField&)) {
  Json list = Json::array();
  for (const ReportItem& item : items) {
    Json result = parse_json(item.json, item.name);
    check(JsonField(result, item.name + ": "));
    result["name"] = without_places(item.name);
    if (!result.contains("profile"))
      result["profile"] = item.profile.empty() ? Json(nullptr) : Json(item.profile);
    list.push_back(std::move(result));
  }
  return list;
}

// Evenly over the whole list.
void thin(Json& evaluation) {
  const Json all = std::move(evaluation["networks"]);
  Json kept = Json::array();
  const std::size_t most = std::min(all.size(), kMostNetworks);
  for (std::size_t i = 0; i < most; ++i) kept.push_back(all[i * all.size() / most]);
  evaluation["networks_left_out"] = all.size() - most;
  evaluation["networks"] = std::move(kept);
}

}  // namespace

std::string payload_text(const char* report, const ReportHead& head, Json content) {
  return Json{{"report", report},
              {"title", head.title},
              {"made_at", head.made_at},
              {"version", head.version},
              {"command", without_places(head.command)},
              {"content", std::move(content)}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string evaluate_payload(const ReportHead& head, std::span<const ReportItem> evaluations) {
  Json list = results(evaluations, check_evaluation);
  for (Json& evaluation : list) thin(evaluation);
  return payload_text("evaluate", head, {{"evaluations", std::move(list)}});
}

std::string prune_payload(const ReportHead& head, std::span<const ReportItem> prunings) {
  return payload_text("prune", head, {{"prunes", results(prunings, check_pruning)}});
}

std::string choose_payload(const ReportHead& head, std::span<const ReportItem> choices) {
  return payload_text("choose", head, {{"choices", results(choices, check_choice)}});
}

std::string generation_payload(const ReportHead& head, std::span<const ReportItem> generations) {
  return payload_text("generation", head, {{"generations", results(generations, check_generated)}});
}

std::string estimate_payload(const ReportHead& head, std::span<const ReportItem> estimates,
                             std::span<const std::string> what_ifs) {
  Json changes = Json::array();
  for (const std::string& what_if : what_ifs) changes.push_back(parse_json(what_if, "what-if"));
  return payload_text(
      "estimate", head,
      {{"estimates", results(estimates, check_estimate)}, {"what_if", std::move(changes)}});
}

std::string profile_payload(const ReportHead& head, const Store& store, const ProfileRow& profile,
                            const std::vector<std::string>& methods) {
  WindowShelf windows;
  Json kinds = find_method("ampere", profile.setup.phase).page(store, profile, windows);
  Json dual = nullptr;
  if (profile.setup.phase != Phase::inference)
    dual = find_method("dual", profile.setup.phase).page(store, profile, windows);
  const auto reason = [](bool missing, const char* why) {
    return missing ? Json(why) : Json(nullptr);
  };
  Json content{{"profile", profile_json(shareable(profile), methods)},
               {"kinds_reason", reason(kinds.empty(),
                                       "nothing was measured for the published "
                                       "method: profile by the method ampere")},
               {"dual_reason", reason(dual.is_null(),
                                      "no blocks were timed alone: profile by the "
                                      "method dual")},
               {"windows_left_out", windows.left_out()},
               {"windows", windows.json()}};
  content["kinds"] = std::move(kinds);
  content["dual"] = std::move(dual);
  return payload_text("profile", head, std::move(content));
}

}  // namespace ampere
