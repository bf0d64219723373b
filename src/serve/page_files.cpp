#include "serve/page_files.h"

#include "ampere/error.h"
#include "report/bundle.h"
#include "report/report.h"

namespace ampere {
namespace {

constexpr const char* kHtml = "text/html; charset=utf-8";
constexpr const char* kScript = "text/javascript; charset=utf-8";
constexpr const char* kStyle = "text/css; charset=utf-8";

void require_page() {
  if (report_script().empty() || app_script().empty())
    throw Error(ErrorCode::failed,
                "this program was built without the page, for want of Node and npm; the API works "
                "all the same: see /openapi.json");
}

Route file(const char* path, const char* type, std::string_view (*text)()) {
  return {"page",
          "GET",
          path,
          0,
          [type, text](Desk&, const HttpRequest&, std::string_view) {
            require_page();
            return HttpResponse{200, type, std::string(text())};
          },
          true,
          true};
}

}  // namespace

std::vector<Route> page_routes() {
  return {file("/", kHtml, app_page), file("/app.js", kScript, app_script),
          file("/app.css", kStyle, app_style), file("/report.js", kScript, report_script),
          file("/report.css", kStyle, report_style)};
}

HttpResponse served_report(const std::string& title, const std::string& payload) {
  require_page();
  return {200, kHtml,
          report_html(title, payload, {served_report_page(), "/report.css", "/report.js"})};
}

}  // namespace ampere
