// Prints what became of a suite.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ampere/evaluate.h"
#include "suite_file.h"

namespace ampere {

void print_suite(const std::vector<SuiteResult>& results, std::span<const SuitePeer> peers);
// A line each, then the scores.
void print_suite_json(const std::vector<SuiteResult>& results, std::span<const SuitePeer> peers);

// What a suite holds, by entry; nothing is opened for it.
void print_suite_plan(const SuiteFile& file, bool json);

// FOLDER/<suite>.json and .csv of its steps, and .html with its families, too.
void write_suite(const std::string& folder, const SuiteFile& file, const DeviceInfo& device,
                 const std::vector<SuiteResult>& results, std::span<const Evaluation> families,
                 std::span<const SuitePeer> peers);

// Before anything is measured: whether the page can be written there.
void check_suite_page(const std::string& folder, const SuiteFile& file);

}  // namespace ampere
