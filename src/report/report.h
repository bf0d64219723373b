// Pictures of what is known: one page that opens anywhere without a network, and figures for a
// paper.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ampere/store.h"

namespace ampere {

// What stands above a report.
struct ReportHead {
  std::string title;
  std::string made_at;  // UTC
  std::string version;  // of the program
  std::string command;  // that made it
};

// One result, as `ampere evaluate --json`, `ampere prune --json`, `ampere choose --json` or
// `ampere estimate --json` gives
// it.
struct ReportItem {
  std::string name;     // of the document, or the file it is from
  std::string profile;  // its id; empty where it is not from a store
  std::string json;     // one object
};

// All results of a kind in a store, the latest updated profile's first.
std::vector<ReportItem> stored_evaluations(const Store& store);
std::vector<ReportItem> stored_prunings(const Store& store);

// The results in a text: objects one after the other, or a list of them; a summary of several
// evaluations is none. Throws Error(usage).
std::vector<ReportItem> read_results(std::string_view text, const std::string& origin);

// What the name of a document has to be for stored_prunings to find it again.
std::string pruning_name(const std::string& what);

// Payloads: JSON text that holds all that a report shows. They throw Error(usage), naming the
// item and the field, when an item is not such a result. What a report has no room for is counted
// in the payload.
std::string evaluate_payload(const ReportHead& head, std::span<const ReportItem> evaluations);
std::string prune_payload(const ReportHead& head, std::span<const ReportItem> prunings);

std::string choose_payload(const ReportHead& head, std::span<const ReportItem> choices);
std::string generation_payload(const ReportHead& head, std::span<const ReportItem> generations);

// The same network by several profiles. `what_ifs` has an object for each estimate: what the page
// recomputes it from when widths change, or {"reason": …} where it cannot.
std::string estimate_payload(const ReportHead& head, std::span<const ReportItem> estimates,
                             std::span<const std::string> what_ifs);

// `methods` are those the profile can answer by.
std::string profile_payload(const ReportHead& head, const Store& store, const ProfileRow& profile,
                            const std::vector<std::string>& methods);

// What draws: a page with places for the rest, its style, and a script that is complete in itself.
struct ReportBundle {
  std::string_view page, style, script;
  // What computes in the page, a WebAssembly module, or why there is none. Both empty where the
  // report computes nothing.
  std::string_view estimators = {}, estimators_missing = {};
};

// The whole report in one text. Throws Error(failed) when the page lacks a place.
std::string report_html(const std::string& title, const std::string& payload,
                        const ReportBundle& bundle);

// Whether a file that begins so is such a report.
bool is_report(std::string_view beginning);

struct ReportFigure {
  std::string name;  // of letters, digits and hyphens
  std::string title;
  std::string svg;
};

// Drawn by the same script. Throws Error(failed) with what it says, and where the program was built
// without what runs it.
std::vector<ReportFigure> report_figures(const std::string& payload, std::string_view script);

}  // namespace ampere
