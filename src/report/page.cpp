#include <fmt/format.h>

#include "ampere/error.h"
#include "base/packed.h"
#include "base/gzip.h"
#include "report/report.h"

namespace ampere {
namespace {

// A page that computes needs a browser that unpacks anyway.
constexpr std::size_t kMostPlain = 1 << 20, kMostPlainBesideEstimators = 1 << 16;
constexpr std::size_t kMarkBytes = 2000;  // the mark stands within
constexpr std::string_view kMark = R"(<meta name="generator" content="ampere report">)";

std::string escaped(std::string_view text) {
  std::string html;
  for (const char c : text) switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      default:
        html += c;
    }
  return html;
}

// In JSON a < can only stand in a text, and there \u003c is the same.
std::string without_tags(std::string_view json) {
  std::string text;
  text.reserve(json.size() + json.size() / 64);
  for (const char c : json)
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

std::string payload_element(const std::string& payload, std::size_t most_plain) {
  if (payload.size() <= most_plain)
    return fmt::format(R"(<script type="application/json" id="payload">{}</script>)",
                       without_tags(payload));
  return fmt::format(R"(<script type="text/plain" id="payload-gz">{}</script>)",
                     to_base64(gzip(payload)));
}

std::string estimators_element(const ReportBundle& bundle) {
  constexpr std::string_view kElement = R"(<script type="text/plain" id="{}">{}</script>)";
  if (!bundle.estimators.empty())
    return fmt::format(kElement, "estimators-gz", to_base64(gzip(bundle.estimators)));
  if (!bundle.estimators_missing.empty())
    return fmt::format(kElement, "estimators-missing", bundle.estimators_missing);
  return "";
}

// What stands before the place, which goes on after it.
std::string_view cut_before(std::string_view& page, std::string_view place) {
  const std::size_t at = page.find(place);
  if (at == std::string_view::npos)
    throw Error(ErrorCode::failed, fmt::format("the page of the report has no place {}", place));
  const std::string_view before = page.substr(0, at);
  page.remove_prefix(at + place.size());
  return before;
}

}  // namespace

std::string report_html(const std::string& title, const std::string& payload,
                        const ReportBundle& bundle) {
  if (!is_report(bundle.page))
    throw Error(ErrorCode::failed, fmt::format("the page of the report has no mark {}", kMark));
  std::string_view rest = bundle.page;
  std::string html;
  const auto fill = [&](std::string_view place, std::string_view with) {
    html += cut_before(rest, place);
    html += with;
  };
  fill("@TITLE@", escaped(title));
  fill("@STYLE@", bundle.style);
  fill("@PAYLOAD@",
       payload_element(payload,
                       bundle.estimators.empty() ? kMostPlain : kMostPlainBesideEstimators) +
           estimators_element(bundle));
  fill("@SCRIPT@", bundle.script);
  html += rest;
  return html;
}

bool is_report(std::string_view beginning) {
  return beginning.substr(0, kMarkBytes).find(kMark) != std::string_view::npos;
}

}  // namespace ampere
