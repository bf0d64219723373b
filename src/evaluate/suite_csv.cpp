#include <fmt/format.h>

#include "base/csv.h"
#include "evaluate/suite_answers.h"

namespace ampere {
namespace {

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{:.9g}", *value) : "";
}

std::string cells(const std::optional<Interval>& interval) {
  if (!interval) return ",,,";
  if (interval->confidence == 0) return fmt::format(",{:.9g},,", interval->mean);
  return fmt::format(",{:.9g},{:.9g},{:.9g}", interval->mean, interval->low, interval->high);
}

}  // namespace

std::string suite_csv(const std::vector<SuiteResult>& results, Source source,
                      std::span<const SuitePeer> peers) {
  const std::vector<SuiteAnswers> answers = suite_answers(results, peers);
  std::string csv = "entry,family,half,source,measured_j,measured_s,flops,bytes,operations";
  for (const SuiteAnswers& column : answers)
    for (const char* what : {"J", "low J", "high J", "s", "low s", "high s"})
      csv += "," + csv_cell(fmt::format("{}: {}", column.name, what));
  csv += ",estimated_at,measured_at,failure\n";
  for (std::size_t i = 0; i < results.size(); ++i) {
    const SuiteResult& each = results[i];
    std::optional<double> energy_j, time_s;
    if (each.measured) {
      energy_j = each.measured->energy_j.mean;
      time_s = each.measured->time_s.mean;
    }
    csv += fmt::format("{},{},{},{},{},{},{:.9g},{:.9g},{:.9g}", csv_cell(each.entry),
                       csv_cell(each.family), each.half ? 1 : 0, to_string(source),
                       number(energy_j), number(time_s), each.flops, each.bytes, each.operations);
    for (const SuiteAnswers& column : answers)
      csv += cells(column.steps[i].energy_j) + cells(column.steps[i].time_s);
    csv += fmt::format(",{},{},{}\n", each.estimated_at, each.measured_at,
                       csv_cell(each.failure.substr(0, each.failure.find('\n'))));
  }
  return csv;
}

}  // namespace ampere
