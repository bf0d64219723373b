#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "base/json.h"
#include "report/report.h"
#include "report/script.h"

namespace ampere {
namespace {

constexpr const char* kOrigin = "the report's figures";

bool fits_a_file(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return ('a' <= c && c <= 'z') || ('0' <= c && c <= '9') || c == '-';
  });
}

}  // namespace

std::vector<ReportFigure> report_figures(const std::string& payload, std::string_view script) {
  const Json drawn = parse_json(call_script(script, "ampere_report.figures", payload), kOrigin);
  std::vector<ReportFigure> figures;
  for (const JsonField& figure : JsonField(drawn, std::string(kOrigin) + ": ").items()) {
    figures.push_back(
        {figure.at("name").text(), figure.at("title").text(), figure.at("svg").text()});
    if (!fits_a_file(figures.back().name))
      throw Error(ErrorCode::failed,
                  fmt::format("{}: '{}' is no name of a file", kOrigin, figures.back().name));
  }
  return figures;
}

}  // namespace ampere
