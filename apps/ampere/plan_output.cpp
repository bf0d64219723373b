#include "plan_output.h"

#include <fmt/format.h>

#include "base/plain_text.h"
#include "base/text.h"
#include "base/utc.h"
#include "print.h"
#include "report/estimate_json.h"

namespace ampere {
namespace {

constexpr double kJoulesPerWh = kJoulesPerKwh / 1000;

// Whole runs are in the range of kilowatt-hours, which bills and grids count. The total decides, so
// that all energies of a plan are in joules or all in watt-hours.
class EnergyText {
 public:
  explicit EnergyText(const TrainingRun& run) : in_wh_(run.energy_j.mean >= kJoulesPerWh) {}
  std::string operator()(double joules) const {
    return in_wh_ ? with_unit(joules / kJoulesPerWh, "Wh") : with_unit(joules, "J");
  }

 private:
  bool in_wh_;
};

// Below a minute whole seconds would be too coarse.
std::string time_text(double seconds) {
  return seconds < 59.5 ? with_unit(seconds, "s") : duration(seconds);
}

void print_totals(const TrainingRun& run) {
  const EnergyText energy_text(run);
  fmt::print("energy  {}   ({:.0f} % interval {} to {})\n", energy_text(run.energy_j.mean),
             100 * run.energy_j.confidence, energy_text(run.energy_j.low),
             energy_text(run.energy_j.high));
  fmt::print("time    {}   ({:.0f} % interval {} to {})\n", time_text(run.time_s.mean),
             100 * run.time_s.confidence, time_text(run.time_s.low), time_text(run.time_s.high));
}

std::string moment(const RunReport& report, Seconds from_now) {
  return utc_text(report.now + std::chrono::floor<std::chrono::seconds>(from_now));
}

std::string amount(const RunValue& value, double number) {
  if (value.name == "carbon_g") return with_unit(number, "g");
  // The currency is what stands before the slash; nobody says that of a constant.
  const std::string currency = value.unit.substr(0, value.unit.find('/'));
  return fmt::format("{:.4g}{}{}", number, currency.empty() ? "" : " ", currency);
}

void print_value(const RunReport& report, const RunValue& value) {
  const Interval whole = value_of(value, report);
  const char* label = value.name == "carbon_g" ? "carbon" : "price";
  fmt::print("{:<8}{}   ({:.0f} % interval {} to {})", label, amount(value, whole.mean),
             100 * whole.confidence, amount(value, whole.low), amount(value, whole.high));
  if (value.by_start)
    fmt::print("   {} when it starts now, {} at best, from {}",
               amount(value, value.by_start->now.value), amount(value, value.by_start->best.value),
               moment(report, value.by_start->best.begin));
  fmt::print("\n");
}

void print_stages(const TrainingRun& run) {
  const EnergyText energy_text(run);
  std::vector<std::vector<std::string>> rows{
      {"stage", "count", "energy", "share", "time", "basis", ""}};
  for (const RunStage& stage : run.stages)
    rows.push_back({stage.name, fmt::format("{:.10g}", stage.count),
                    energy_text(stage.energy_j.mean),
                    percent(stage.energy_j.mean / run.energy_j.mean), time_text(stage.time_s.mean),
                    to_string(stage.basis), stage.assumption});
  fmt::print("\n");
  print_table(rows);
}

}  // namespace

void print_training_run(const RunReport& report) {
  const TrainingRun& run = report.planned.run;
  const Answer& answer = report.planned.answer;
  fmt::print("{}: {} of {}, {} of {}{} on {} (profile {}, {}, method {})\n",
             plain_text(report.model), counted(report.task.epochs, "epoch"),
             counted(report.task.samples, "sample"), counted(run.iterations, "iteration"),
             counted(run.samples_per_iteration, "sample"),
             report.task.trials > 0 ? ", after " + counted(report.task.trials, "trial") : "",
             answer.profile.row.device.name, profile_name(answer.profile.row),
             to_string(answer.estimate.source), answer.method);
  print_totals(run);
  for (const RunValue& value : report.values) print_value(report, value);
  if (report.begin)
    fmt::print("start   {}{}\n", moment(report, *report.begin),
               report.begin->count() > 0 ? fmt::format(", in {}", duration(report.begin->count()))
                                         : ", now");
  print_stages(run);
  if (run.waiting_power && run.waiting_basis == Basis::estimated)
    fmt::print("the device waits at {:.3g} W, by the law of the profile\n",
               run.waiting_power->value);
  for (const std::string& warning : answer.estimate.warnings)
    fmt::print("warning: {}\n", plain_lines(warning));
  for (const std::string& warning : report.warnings) fmt::print("warning: {}\n", warning);
}

}  // namespace ampere
