// Where a report goes: a page, figures, or its payload on standard output.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "ampere/report.h"

namespace ampere {

struct ReportOutput {
  std::string file;     // the page
  std::string figures;  // folder; empty: none
  bool json = false;    // the payload instead of the page
  std::string command;  // that was typed
};

// `name` is the report's; the page is <name>.html unless the user says otherwise.
void add_output_options(CLI::App& command, ReportOutput& output, const std::string& name,
                        const std::string& words);

ReportHead head_of(const ReportOutput& output, std::string title);

// Before anything is read: throws Error(failed) when this program cannot draw, Error(usage) when
// the file is there and is no report.
void check_output(const ReportOutput& output);

void publish(const ReportOutput& output, const ReportHead& head, const std::string& payload);

}  // namespace ampere
