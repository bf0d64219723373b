// Where a report goes: a page, figures, or its payload on standard output.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "report/report.h"

namespace ampere {

struct ReportOutput {
  std::string file;     // the page
  std::string figures;  // folder; empty: none
  bool json = false;    // the payload instead of the page
  std::string command;  // as typed
};

// The page is <name>.html unless the user gives another file. `words` is the command line as typed.
void add_output_options(CLI::App& command, ReportOutput& output, const std::string& name,
                        const std::string& words);

ReportHead head_of(const ReportOutput& output, std::string title);

// Called before anything is read. Throws Error(failed) when this program was built without the
// page, Error(usage) when the file exists and is not a report.
void check_output(const ReportOutput& output);

// A page that `computes` carries the estimators.
void publish(const ReportOutput& output, const ReportHead& head, const std::string& payload,
             bool computes = false);

}  // namespace ampere
