#include "diff_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/stats.h"
#include "base/text.h"
#include "print.h"
#include "report/estimate_json.h"

namespace ampere {
namespace {

using Row = std::vector<std::string>;

constexpr std::size_t kMostRows = 25;

std::string signed_unit(double value, const char* unit) {
  if (value == 0) return fmt::format("±0 {}", unit);
  return (value > 0 ? "+" : "-") + with_unit(std::abs(value), unit);
}

std::string percent_cell(const std::optional<double>& share) {
  return share ? signed_percent(*share) : kUnknown;
}

std::string interval_cell(const std::optional<Interval>& interval,
                          const std::optional<Quantity>& before) {
  if (!interval || !before || !(before->mean > 0)) return kUnknown;
  return fmt::format("{:+.1f} to {:+.1f} %", 100 * interval->low / before->mean,
                     100 * interval->high / before->mean);
}

std::string count_cell(std::int64_t value) { return large_count(static_cast<double>(value)); }

// What changed as a whole.
std::vector<Row> whole_rows(const Diff& diff) {
  const Estimate &before = diff.before.estimate, &after = diff.after.estimate;
  const double confidence = diff.energy_j ? diff.energy_j->confidence : 0.9;
  std::vector<Row> rows{{"per iteration", "before", "after", "difference", "change",
                         fmt::format("{:.0f} % interval", 100 * confidence)}};
  const auto estimated = [&](const char* name, const std::optional<Quantity>& a,
                             const std::optional<Quantity>& b, const std::optional<Interval>& apart,
                             DiffQuantity quantity, const char* unit) {
    rows.push_back({name, a ? with_unit(a->mean, unit) : kUnknown,
                    b ? with_unit(b->mean, unit) : kUnknown,
                    apart ? signed_unit(apart->mean, unit) : kUnknown,
                    percent_cell(relative_change(diff, quantity)), interval_cell(apart, a)});
  };
  estimated("energy", before.energy_j_per_iteration, after.energy_j_per_iteration, diff.energy_j,
            DiffQuantity::energy, "J");
  estimated("time", before.time_s_per_iteration, after.time_s_per_iteration, diff.time_s,
            DiffQuantity::time, "s");
  if (diff.memory_before && diff.memory_after)
    rows.push_back({"memory, peak", with_unit(static_cast<double>(*diff.memory_before), "B"),
                    with_unit(static_cast<double>(*diff.memory_after), "B"),
                    signed_unit(static_cast<double>(*diff.memory_after - *diff.memory_before), "B"),
                    percent_cell(relative_change(diff, DiffQuantity::memory)), "counted"});
  else
    rows.push_back({"memory, peak", kUnknown, kUnknown, kUnknown, kUnknown, "unknown"});
  const std::int64_t more = diff.parameters_after - diff.parameters_before;
  rows.push_back({"parameters", count_cell(diff.parameters_before),
                  count_cell(diff.parameters_after),
                  more == 0 ? "±0" : (more > 0 ? "+" : "-") + count_cell(std::abs(more)),
                  percent_cell(relative_change(diff, DiffQuantity::parameters)), "counted"});
  return rows;
}

// "conv3x3 c_out=16 → conv3x3 c_out=24"
std::string what_text(const PartDifference& part) {
  if (part.before == part.after) return part.after;
  if (part.before.empty()) return part.after;
  if (part.after.empty()) return part.before;
  return fmt::format("{} → {}", part.before, part.after);
}

std::vector<Row> part_rows(const DiffReport& report, DiffRows rows, bool all,
                           std::size_t& left_out) {
  const Diff& diff = report.diff;
  const bool operations = rows == DiffRows::operations;
  std::vector<const PartDifference*> shown;
  for (const PartDifference& part : operations ? diff.operations : diff.parts)
    if (all || part.change != PartChange::same) shown.push_back(&part);
  left_out = all || shown.size() <= kMostRows ? 0 : shown.size() - kMostRows;
  if (left_out > 0) {
    // The largest changes, in the order of the network.
    std::vector<const PartDifference*> largest = shown;
    std::ranges::stable_sort(largest, std::greater{}, [](const PartDifference* part) {
      return std::abs(part->energy_after_j - part->energy_before_j);
    });
    largest.resize(kMostRows);
    const std::set<const PartDifference*> kept(largest.begin(), largest.end());
    std::erase_if(shown, [&](const PartDifference* part) { return !kept.contains(part); });
  }
  std::vector<Row> table{{operations ? "operation" : "part", "change", "energy before",
                          "energy after", "difference", "what it is"}};
  for (const PartDifference* part : shown)
    table.push_back(
        {part->name.empty() ? "(the network itself)" : part->name, to_string(part->change),
         part->calls_before > 0 ? with_unit(part->energy_before_j, "J") : kUnknown,
         part->calls_after > 0 ? with_unit(part->energy_after_j, "J") : kUnknown,
         signed_unit(part->energy_after_j - part->energy_before_j, "J"), what_text(*part)});
  return table;
}

std::string operations_text(std::size_t count) {
  return counted(static_cast<std::int64_t>(count), "operation");
}

// What the device itself was asked.
std::string at_hand_text(const std::optional<Diff::AtHand>& seen) {
  if (!seen) return "";
  std::string text =
      fmt::format(", {} timed on this device", operations_text(seen->timed_operations));
  if (seen->measured_operations > 0)
    text += fmt::format(", the energy of {} measured", operations_text(seen->measured_operations));
  if (seen->before_energy_j) text += ", the first of both measured";
  if (seen->host_slowdown)
    text += fmt::format(", host {:.2f} times as slow as profiled", *seen->host_slowdown);
  return text;
}

// What both really took.
std::vector<Row> checked_rows(const DiffReport& report) {
  const DiffCheck& check = report.checked.value();
  std::vector<Row> rows{{fmt::format("trained in {} rounds, {}", check.before.energy_j.size(),
                                     to_string(check.source)),
                         "before", "after", "difference", "change",
                         fmt::format("{:.0f} % interval", 100 * check.energy_j.confidence),
                         "estimate"}};
  const auto add = [&](const char* name, const std::vector<double>& before,
                       const std::vector<double>& after, const Interval& apart, bool inside,
                       const char* unit) {
    const double first = mean(before);
    rows.push_back({name, with_unit(first, unit), with_unit(mean(after), unit),
                    signed_unit(apart.mean, unit), signed_percent(apart.mean / first),
                    interval_cell(apart, Quantity{first}), inside ? "inside" : "outside"});
  };
  add("energy", check.before.energy_j, check.after.energy_j, check.energy_j, check.energy_inside,
      "J");
  add("time", check.before.time_s, check.after.time_s, check.time_s, check.time_inside, "s");
  return rows;
}

std::string head_text(const DiffReport& report) {
  const Diff& diff = report.diff;
  const ProfileRow& row = diff.after.profile.row;
  return fmt::format("on {} (profile {}, {}, method {}{})", row.device.name, profile_name(row),
                     to_string(std::max(diff.before.estimate.source, diff.after.estimate.source)),
                     diff.after.method, at_hand_text(diff.at_hand));
}

std::vector<std::string> warnings_of(const Diff& diff) {
  std::vector<std::string> warnings;
  for (const Answer* answer : {&diff.before, &diff.after})
    for (const std::string& warning : answer->estimate.warnings)
      if (std::ranges::find(warnings, warning) == warnings.end()) warnings.push_back(warning);
  const auto waits = [](const Answer& answer) {
    return answer.estimate.iteration && answer.estimate.iteration->host_bound;
  };
  if (waits(diff.before) || waits(diff.after))
    warnings.emplace_back(
        "an iteration waits for its host, and the parts share the energy of this by their time on "
        "the device: one that does more may seem to cost less");
  if (!diff.no_memory.empty()) warnings.push_back("the memory is unknown: " + diff.no_memory);
  if (!diff.related)
    warnings.emplace_back(
        "they have no part in common: few errors cancel, and the interval is "
        "nearly that of two estimates");
  return warnings;
}

std::string limit_text(const JudgedLimit& each) {
  return fmt::format("{} {}: {} is {} the limit of {}{}", each.exceeded ? "FAILED" : "ok",
                     to_string(each.limit.quantity), signed_percent(each.change),
                     each.exceeded ? "above" : "within", signed_percent(each.limit.share),
                     each.certain ? "" : ", but the interval reaches across it");
}

std::string cell(const std::string& text) {
  std::string safe;
  for (const char c : text) safe += c == '|' ? std::string("\\|") : std::string(1, c);
  return safe;
}

std::string markdown_table(const std::vector<Row>& rows, std::size_t texts) {
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += "|";
    for (const std::string& each : rows[i]) text += fmt::format(" {} |", cell(each));
    text += "\n";
    if (i > 0) continue;
    text += "|";
    for (std::size_t j = 0; j < rows[0].size(); ++j)
      text += j < texts || j + 1 == rows[0].size() ? " --- |" : " ---: |";
    text += "\n";
  }
  return text;
}

std::string more_text(std::size_t left_out) {
  return fmt::format("{} smaller changes are left out; --all lists them", left_out);
}

}  // namespace

void print_diff(const DiffReport& report, DiffRows rows, bool all) {
  const Diff& diff = report.diff;
  fmt::print("{} → {} {}\n", report.before, report.after, head_text(report));
  print_table(whole_rows(diff));
  std::size_t left_out = 0;
  const std::vector<Row> parts = part_rows(report, rows, all, left_out);
  fmt::print("\n");
  if (parts.size() > 1)
    print_table(parts);
  else
    fmt::print("no part changed\n");
  if (left_out > 0) fmt::print("{}\n", more_text(left_out));
  if (report.checked) {
    fmt::print("\n");
    print_table(checked_rows(report));
    for (const std::string& note : report.checked->notes) fmt::print("note: {}\n", note);
  }
  for (const std::string& warning : warnings_of(diff)) fmt::print("warning: {}\n", warning);
  for (const JudgedLimit& each : report.limits) fmt::print("{}\n", limit_text(each));
}

std::string diff_markdown(const DiffReport& report, DiffRows rows, bool all) {
  const Diff& diff = report.diff;
  std::string text = fmt::format("### Energy of training: `{}` → `{}`\n\nEstimated {}.\n\n",
                                 report.before, report.after, head_text(report));
  text += markdown_table(whole_rows(diff), 1);
  std::size_t left_out = 0;
  const std::vector<Row> parts = part_rows(report, rows, all, left_out);
  if (parts.size() > 1)
    text += fmt::format("\n<details><summary>{}{}</summary>\n\n{}\n</details>\n",
                        counted(static_cast<std::int64_t>(parts.size()) - 1,
                                rows == DiffRows::operations ? "operation" : "part"),
                        all ? "" : " changed", markdown_table(parts, 2));
  else
    text += "\nNo part changed.\n";
  if (left_out > 0) text += fmt::format("\n{}\n", more_text(left_out));
  if (report.checked)
    text += "\nWhat both took, measured in turns:\n\n" + markdown_table(checked_rows(report), 1);
  const std::vector<std::string> warnings = warnings_of(diff);
  if (!warnings.empty()) text += "\n";
  for (const std::string& warning : warnings) text += fmt::format("- warning: {}\n", cell(warning));
  if (!report.limits.empty()) text += "\n";
  for (const JudgedLimit& each : report.limits) text += fmt::format("- {}\n", limit_text(each));
  return text;
}

}  // namespace ampere
