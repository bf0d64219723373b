#include "method/operations/general_profile.h"

#include <fmt/format.h>

#include "base/quick_json.h"
#include "method/operations/general_format.h"
#include "method/operations/operations_json.h"
#include "record/record_json.h"

namespace ampere {
namespace {

constexpr const char* kFormat = "ampere-general-profile";
constexpr const char* kMap = "map";
constexpr const char* kLaws = "laws";

GeneralHead read_head(const JsonField& root) {
  if (!root.json().is_object() || root.text_or("format", "") != kFormat)
    root.fail(fmt::format("is not a general profile: its \"format\" is not \"{}\"", kFormat));
  if (root.at("version").integer() != kGeneralProfileVersion)
    root.at("version").fail("is another version; profile the device again",
                            Remedy::general_profile);
  const std::string kind = root.at("kind").text();
  if (kind != "gpu" && kind != "cpu") root.at("kind").fail("is neither gpu nor cpu");
  const auto count = [&](const char* key) {
    const std::int64_t value = root.at(key).integer();
    if (value < 0) root.at(key).fail("must not be negative");
    return value;
  };
  return {read_device(root.at("device")), kind == "gpu", root.at("taken_at").text(),
          count("operations"), count("windows")};
}

struct HeadIsOver {};

// All fields of the object up to the fitted ones, which are last and thousands of times as long.
Json fields_of_head(std::string_view text, const std::string& origin) {
  Json head = Json::object();
  std::string key;
  const auto collect = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth != 1) return true;
    if (event == Json::parse_event_t::key) {
      key = parsed.get<std::string>();
      if (key == kMap || key == kLaws) throw HeadIsOver{};
    } else if (event == Json::parse_event_t::value || event == Json::parse_event_t::object_end) {
      head[key] = parsed;
    }
    return true;
  };
  try {
    return Json::parse(text, collect);
  } catch (const HeadIsOver&) {
    return head;
  } catch (const Json::exception&) {
    return parse_json(text, origin);  // which says what is wrong
  }
}

}  // namespace

std::string to_json(const GeneralProfile& profile) {
  return Json{{"format", kFormat},
              {"version", kGeneralProfileVersion},
              {"device", device_json(profile.device)},
              {"kind", profile.is_gpu ? "gpu" : "cpu"},
              {"taken_at", profile.taken_at},
              {"operations", profile.operations},
              {"windows", profile.windows},
              {kMap, operation_map_json(profile.fitted.map)},
              {kLaws, operation_laws_json(profile.fitted.laws)}}
      .dump();
}

GeneralProfile parse_general_profile(std::string_view text, const std::string& origin) {
  const Json json = parse_json_with_packed_texts(text, origin);
  const JsonField root(json, origin + ": ");
  GeneralProfile profile;
  static_cast<GeneralHead&>(profile) = read_head(root);
  profile.fitted = {read_operation_map(root.at(kMap)), read_operation_laws(root.at(kLaws))};
  return profile;
}

GeneralHead parse_general_head(std::string_view text, const std::string& origin) {
  const Json json = fields_of_head(text, origin);
  return read_head({json, origin + ": "});
}

Dialect dialect_of(const GeneralProfile& profile) {
  return profile.is_gpu ? Dialect{} : cpu_dialect();
}

}  // namespace ampere
