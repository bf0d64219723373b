#include "report_output.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "ampere/error.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "options.h"
#include "output_folder.h"
#include "report/bundle.h"

namespace ampere {
namespace {

std::string beginning_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(4096, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

// An older report is replaced; any other file may still be wanted.
void check_file(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return;
  if (!std::filesystem::is_regular_file(status))
    throw Error(ErrorCode::usage, fmt::format("--output: {} is not a file", path));
  const std::string beginning = beginning_of(path);
  if (!beginning.empty() && !is_report(beginning))
    throw Error(ErrorCode::usage,
                fmt::format("--output: {} exists and is not a report of ampere; remove it, or give "
                            "another name",
                            path));
}

void write_figures(const ReportOutput& output, const std::string& payload) {
  const std::vector<ReportFigure> figures = report_figures(payload, report_script());
  require_folder(output.figures, "--figures");
  for (const ReportFigure& figure : figures) {
    const std::string path =
        (std::filesystem::path(output.figures) / (figure.name + ".svg")).string();
    write_whole_file(path, figure.svg);
    if (!output.json) fmt::print("wrote {}\n", path);
  }
}

}  // namespace

void add_output_options(CLI::App& command, ReportOutput& output, const std::string& name,
                        const std::string& words) {
  output.command = words;
  output.file = name + ".html";
  command.add_option("-o,--output", output.file, "File to write the page to")
      ->capture_default_str();
  command.add_option("--figures", output.figures,
                     "Folder to write every figure to as well, as .svg files");
  command.add_flag("--json", output.json,
                   "Print the content of the page as JSON instead of writing it");
}

ReportHead head_of(const ReportOutput& output, std::string title) {
  return {std::move(title), utc_now(), "ampere " AMPERE_VERSION, output.command};
}

void check_output(const ReportOutput& output) {
  if (report_script().empty() && (!output.json || !output.figures.empty()))
    throw Error(ErrorCode::failed,
                "this program was built without the report page; install Node and npm and "
                "build again, or configure with -DAMPERE_REPORT_BUNDLE=report.js from a release");
  if (!output.json) check_file(output.file);
}

void publish(const ReportOutput& output, const ReportHead& head, const std::string& payload,
             bool computes) {
  if (output.json) {
    fmt::print("{}\n", payload);
  } else {
    ReportBundle bundle{report_page(), report_style(), report_script()};
    if (computes) {
      bundle.estimators = report_estimators();
      bundle.estimators_missing = report_estimators_missing();
    }
    write_whole_file(output.file, report_html(head.title, payload, bundle));
    fmt::print("wrote {}\n", output.file);
  }
  if (!output.figures.empty()) write_figures(output, payload);
}

}  // namespace ampere
