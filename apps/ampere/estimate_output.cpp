#include "estimate_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ampere/error.h"
#include "base/text.h"
#include "print.h"

namespace ampere {
namespace {

bool is_inference(const EstimateReport& report) { return report.setup.phase == Phase::inference; }

void print_interval(const EstimateReport& report, const char* name,
                    const std::optional<Interval>& total, const std::optional<Quantity>& each,
                    const char* unit) {
  if (!total) {
    fmt::print("{:<8}unavailable: {}\n", name,
               report.estimate.uncovered.empty() ? "it was not measured"
                                                 : "a part of the network is not covered");
    return;
  }
  fmt::print("{:<8}{}   ({:.0f} % interval {} to {}{})   {} per {}\n", name,
             with_unit(total->mean, unit), total->confidence * 100, with_unit(total->low, unit),
             with_unit(total->high, unit), total->low <= 0 ? ", unsteady" : "",
             with_unit(each->mean, unit), is_inference(report) ? "inference" : "iteration");
}

std::string mean_cell(const std::optional<Quantity>& quantity, const char* unit) {
  return quantity ? with_unit(quantity->mean, unit) : kUnknown;
}

std::string spread_cell(const std::optional<Quantity>& quantity, const char* unit) {
  return quantity && quantity->stddev ? with_unit(*quantity->stddev, unit) : kUnknown;
}

// Kernels have no role.
void print_parts(const EstimateReport& report) {
  const bool inference = is_inference(report);
  const Estimate& estimate = report.estimate;
  std::vector<std::vector<std::string>> rows{
      {"part", "role", "features", "count", "energy/it.", "±", "share", "time/it.", ""}};
  if (inference)
    rows.front() = {"kernel", "", "sizes", "count", "energy", "±", "share", "time", ""};
  const std::optional<Quantity>& whole = estimate.energy_j_per_iteration;
  for (const Part& part : estimate.parts)
    rows.push_back({part.title, to_string(part.role),
                    feature_text(part.feature_names, part.features), std::to_string(part.count),
                    mean_cell(part.energy_j, "J"), spread_cell(part.energy_j, "J"),
                    part.energy_j && whole ? percent(part.energy_j->mean / whole->mean) : kUnknown,
                    mean_cell(part.time_s, "s"), part.extrapolated ? "extrapolated" : ""});
  if (inference)
    for (auto& row : rows) row.erase(row.begin() + 1);
  print_table(rows);
}

std::string setup_text(const EstimateReport& report) {
  if (report.program == nullptr) return to_string(report.setup);
  if (report.program->generation) return to_string(*report.program->generation);
  if (report.program->setup) return to_string(*report.program->setup);
  const auto samples = batch_of(report);
  return samples ? fmt::format("a step of its own, batch {}", *samples) : "a step of its own";
}

const char* limit_text(const IterationDetails& iteration) {
  if (iteration.power_limited) return "power of the device";
  return iteration.host_bound ? "host" : "device";
}

void print_shares(const char* what, const std::vector<ProgramShare>& shares, double whole_j) {
  std::vector<std::vector<std::string>> rows{
      {what, "calls", "energy/it.", "share", "device time/it."}};
  for (const ProgramShare& share : shares)
    rows.push_back({share.name.empty() ? "(the network itself)" : share.name,
                    std::to_string(share.calls), with_unit(share.energy_j, "J"),
                    percent(share.energy_j / whole_j), with_unit(share.device_s, "s")});
  print_table(rows);
}

constexpr double kWorthSaying = 0.0005;  // less is shown as 0.0 %

// "62.0 % of it was timed when the device was profiled, 38.0 % follows from similar operations"
std::string sources_text(const IterationDetails& iteration) {
  const auto share = [&](TimeSource source) {
    return iteration.share_of_source[static_cast<std::size_t>(source)];
  };
  std::vector<std::string> texts;
  for (const auto& [source, text] :
       {std::pair{TimeSource::timed, "was timed for this estimate"},
        std::pair{TimeSource::known, "was timed when the device was profiled"},
        std::pair{TimeSource::mapped, "follows from similar operations"},
        std::pair{TimeSource::foreign, "is a guess, since no operation of the name was timed"}})
    if (share(source) >= kWorthSaying)
      texts.push_back(fmt::format("{} {}", percent(share(source)), text));
  return fmt::format("{}", fmt::join(texts, ", "));
}

void print_iteration(const EstimateReport& report, const IterationDetails& iteration,
                     Shares shares) {
  const ProfileRow& row = *report.profile;
  const Interval& device = iteration.device_s;
  fmt::print(
      "device  {} per iteration   ({:.0f} % interval {} to {}), host {}: the {} is the limit\n",
      with_unit(device.mean, "s"), device.confidence * 100, with_unit(device.low, "s"),
      with_unit(device.high, "s"), with_unit(iteration.host_s, "s"), limit_text(iteration));
  if (const std::string known = sources_text(iteration); !known.empty())
    fmt::print("        of the device time {}\n", known);
  if (iteration.peak_bytes)
    fmt::print("memory  {} at the peak\n",
               with_unit(static_cast<double>(*iteration.peak_bytes), "B"));
  fmt::print("profile {}, {}, {}{}\n", iteration.profiled_at.substr(0, 10), row.device.framework,
             row.device.driver, row.shipped.empty() ? "" : "; it came with the program");
  fmt::print("\n");
  const double whole_j = report.estimate.energy_j_per_iteration->mean;
  if (shares == Shares::groups)
    print_shares("operations", iteration.groups, whole_j);
  else
    print_shares("module", iteration.modules, whole_j);
  std::vector<std::string> foreign;
  for (const UncoveredName& each : iteration.uncovered)
    foreign.push_back(fmt::format("{} {}", each.name, percent(each.share)));
  if (!foreign.empty())
    fmt::print("never timed: {} of the device time\n", fmt::join(foreign, ", "));
}

std::vector<std::string> check_row(const std::string& name, const Quantity& measured,
                                   const Quantity& estimated, double difference, bool inside,
                                   const char* unit) {
  return {name, with_unit(estimated.mean, unit), with_unit(measured.mean, unit),
          signed_percent(difference), inside ? "inside" : "outside"};
}

void print_checked(const EstimateReport& report) {
  const Check& check = *report.checked;
  const Measurement& measured = check.measured;
  const std::string each = is_inference(report) ? "inference" : "iteration";
  std::vector<std::vector<std::string>> rows{
      {is_inference(report) ? "run on the device" : "trained on the device", "estimated",
       to_string(measured.source), "difference", "interval"}};
  const Estimate& estimate = report.estimate;
  if (check.energy_difference)
    rows.push_back(check_row("energy per " + each, measured.energy_j,
                             *estimate.energy_j_per_iteration, *check.energy_difference,
                             *check.energy_inside, "J"));
  if (check.time_difference)
    rows.push_back(check_row("time per " + each, measured.time_s, *estimate.time_s_per_iteration,
                             *check.time_difference, *check.time_inside, "s"));
  fmt::print("\n");
  print_table(rows);
  for (const std::string& note : measured.notes) fmt::print("note: {}\n", note);
}

void print_conversions(const Interval& energy, const Conversions& conversions) {
  if (conversions.battery_j)
    fmt::print("battery {} of one charge ({} to {})\n",
               percent(energy.mean / *conversions.battery_j),
               percent(energy.low / *conversions.battery_j),
               percent(energy.high / *conversions.battery_j));
  if (conversions.carbon_g_per_kwh)
    fmt::print("carbon  {}\n",
               with_unit(energy.mean / kJoulesPerKwh * *conversions.carbon_g_per_kwh, "g"));
  if (conversions.price_per_kwh)
    fmt::print("price   {:.4g}\n", energy.mean / kJoulesPerKwh * *conversions.price_per_kwh);
}

}  // namespace

void print_estimate(const EstimateReport& report, const Conversions& conversions, Shares shares) {
  const Estimate& estimate = report.estimate;
  fmt::print("{}: {}, {} on {} (profile {}, {}, method {})\n", report.model, setup_text(report),
             counted(report.workload.iterations, is_inference(report) ? "inference" : "iteration"),
             report.profile->device.name, profile_name(*report.profile), to_string(estimate.source),
             report.method);
  print_interval(report, "energy", estimate.energy_j, estimate.energy_j_per_iteration, "J");
  print_interval(report, "time", estimate.time_s, estimate.time_s_per_iteration, "s");
  if (estimate.energy_j) print_conversions(*estimate.energy_j, conversions);
  if (estimate.iteration) {
    print_iteration(report, *estimate.iteration, shares);
  } else if (!estimate.parts.empty()) {
    fmt::print("\n");
    print_parts(report);
  }
  if (report.host_slowdown)
    fmt::print(
        "the host now takes {:.2f} times as long as when it was profiled; the estimate accounts "
        "for it\n",
        *report.host_slowdown);
  if (estimate.earlier_runs > 0)
    fmt::print("the estimate leans on {} of this very network\n",
               counted(estimate.earlier_runs, "earlier run"));
  for (const Uncovered& uncovered : estimate.uncovered)
    fmt::print("not covered: {}: {}\n", uncovered.layer, uncovered.reason);
  for (const std::string& warning : estimate.warnings) fmt::print("warning: {}\n", warning);
  for (const std::string& advice : estimate.advice) fmt::print("advice: {}\n", advice);
  if (report.checked) print_checked(report);
}

}  // namespace ampere
