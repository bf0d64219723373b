// Fits the laws, and finds the factors of intervals by leaving one family of programs out at a
// time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "ampere/error.h"
#include "base/stats.h"
#include "method/operations/operation_laws.h"

namespace ampere {
namespace {

constexpr double kHostBound = 0.8;        // of the time: a device that is busy for less waits
constexpr std::size_t kTimedAtHand = 20;  // operations that are timed when the device is there
constexpr double kCoverage = 0.9;

// A factor that is known before anything was measured, and the number of families that it rests on.
struct UsualFactor {
  double factor = 1;
  double families = 0;
};
struct UsualFactors {
  UsualFactor device, time, energy;
};

// Those that cross-validation gave on one GPU; with the device at hand, those that single runs on
// H200s needed whose estimates came from profiles of three sittings.
UsualFactors usual_factors(Knowledge knowledge) {
  constexpr IntervalFactors kOfOneGpu;
  constexpr double kItsFamilies = 11;
  const UsualFactor device{kOfOneGpu.device, kItsFamilies};
  if (knowledge == Knowledge::device) return {device, {1.3, 24}, {1.95, 24}};
  return {device, {kOfOneGpu.time, kItsFamilies}, {kOfOneGpu.energy, kItsFamilies}};
}

// A window with everything that the laws need of it.
struct Prepared {
  const ProgramWindow* window = nullptr;
  std::string family;
  std::vector<double> counts;
  double device_s = 0;  // the sum of its operations, those that were timed by their times
  WorkTerms work;
  double calls_s = 0;  // of the host
};

void check(const ProgramWindow& window) {
  for (const double value :
       {window.time_s, window.device_s, window.energy_j, window.host_s.value_or(1)})
    if (!(std::isfinite(value) && value > 0))
      throw Error(ErrorCode::failed,
                  fmt::format("{}: a time or an energy of {} is none", window.program.name, value));
}

std::vector<Prepared> prepare(const std::vector<ProgramWindow>& windows, const HostMap& host,
                              const OperationMap& map) {
  std::vector<Prepared> prepared;
  for (const ProgramWindow& window : windows) {
    check(window);
    Prepared its{&window,
                 window.family.empty() ? window.program.name : window.family,
                 call_counts(window.program),
                 0,
                 {},
                 0};
    const std::vector<MappedOperation> mapped = map_operations(map, window.program);
    its.device_s = sum_of_operations(mapped, its.counts).seconds;
    its.work = work_terms(mapped, its.counts, map.device);
    its.calls_s = host.calls_s(window.program, its.counts);
    prepared.push_back(std::move(its));
  }
  return prepared;
}

// A measured host time, or the time of an iteration in which the device mostly waits.
std::optional<double> known_host_s(const ProgramWindow& window) {
  if (window.host_s) return window.host_s;
  if (window.device_s < kHostBound * window.time_s) return window.time_s;
  return std::nullopt;
}

// All laws without the factors, from what was measured of all other families.
OperationLaws fit_without(const std::vector<Prepared>& prepared,
                          std::span<const WorkEnergyRow> elsewhere, const HostMap& names,
                          const std::string* family) {
  OperationLaws laws;
  laws.host = names;
  const auto counts = [&](const std::string& of) { return family == nullptr || of != *family; };
  std::vector<const Prepared*> used;
  for (const Prepared& its : prepared)
    if (counts(its.family)) used.push_back(&its);

  const bool has_host = !names.name_s.empty();  // apart from the device, which a CPU has not
  std::vector<HostRow> host_rows;
  for (const Prepared* its : used) {
    const ProgramWindow& window = *its->window;
    const auto host_s = has_host ? known_host_s(window) : std::nullopt;
    if (host_s) host_rows.push_back({its->calls_s, *host_s});
    laws.energy_rows.push_back(
        {window.time_s, window.device_s, its->work, window.energy_j, its->family});
  }
  fit_host_sums(host_rows, laws.host);
  for (const WorkEnergyRow& row : elsewhere)
    if (counts(row.family)) laws.energy_rows.push_back(row);
  laws.energy = fit_work_energy(laws.energy_rows);
  for (const Knowledge knowledge : {Knowledge::profile, Knowledge::device}) {
    std::vector<StepTimeRow> rows;
    for (const Prepared* its : used) {
      const double mapped = laws.host.seconds(its->calls_s);
      const double host_s =
          knowledge == Knowledge::device ? combined_host_s(mapped, its->window->host_s) : mapped;
      rows.push_back({host_s, its->device_s, its->window->time_s});
    }
    laws.time[static_cast<std::size_t>(knowledge)] = fit_step_time(rows);
  }
  return laws;
}

// As if the dearest operations were timed now: their times are those that the whole map knows.
void time_dearest(const OperationMap& whole, const Prepared& its,
                  std::vector<MappedOperation>& mapped) {
  const Program& program = its.window->program;
  const std::vector<MappedOperation> known = map_operations(whole, program);
  for (const std::size_t i : dearest_operations(mapped, its.counts, kTimedAtHand))
    if (known[i].source == TimeSource::known) mapped[i] = known[i];
}

// |ln(predicted / measured)| over the standard deviation, of programs that were left out.
struct Residuals {
  std::vector<double> device, time, energy;
};

// Sums at first, then means.
void add_errors(const ComposedStep& step, const ProgramWindow& window, CrossValidation& check) {
  ++check.networks;
  check.energy_mape += std::abs(step.energy_j / window.energy_j - 1);
  check.time_mape += std::abs(step.time_s / window.time_s - 1);
}

void add_residuals(const ComposedStep& step, const ProgramWindow& window, Residuals& residuals) {
  const auto size = [](double predicted, double measured, double deviation) {
    return std::abs(std::log(std::max(predicted, 1e-12) / measured)) / deviation;
  };
  residuals.device.push_back(size(step.device_s, window.device_s, step.device_deviation));
  residuals.time.push_back(size(step.time_s, window.time_s, step.time_deviation));
  residuals.energy.push_back(size(step.energy_j, window.energy_j, step.energy_deviation));
}

// Conformal: the quantile 0.9 (n + 1) / n of the residuals. Of a dozen programs that is nearly the
// largest one and mostly chance, so it counts beside the usual factor by the number of programs,
// and fewer programs than the usual factor has families only make intervals wider.
double factor_of(const std::vector<double>& residuals, const UsualFactor& usual) {
  if (residuals.empty()) return usual.factor;
  const auto count = static_cast<double>(residuals.size());
  const double found = quantile(residuals, std::min(1.0, kCoverage * (count + 1) / count));
  const double weight = count / (count + usual.families);
  const double factor = std::pow(found, weight) * std::pow(usual.factor, 1 - weight);
  return count < usual.families ? std::max(factor, usual.factor) : factor;
}

IntervalFactors factors_of(const Residuals& residuals, Knowledge knowledge) {
  const UsualFactors usual = usual_factors(knowledge);
  return {factor_of(residuals.device, usual.device), factor_of(residuals.time, usual.time),
          factor_of(residuals.energy, usual.energy)};
}

}  // namespace

OperationLaws fit_operation_laws(const std::vector<ProgramWindow>& windows,
                                 const std::vector<TimedOperation>& timed, const FittedMap& maps,
                                 std::span<const WorkEnergyRow> elsewhere) {
  if (windows.empty())
    throw Error(ErrorCode::unknown, "no program was measured on this device", Remedy::profile);
  const HostMap names = fit_host_names(timed);
  const std::vector<Prepared> prepared = prepare(windows, names, maps.map);
  OperationLaws laws = fit_without(prepared, elsewhere, names, nullptr);

  std::set<std::string> families;
  for (const Prepared& its : prepared) families.insert(its.family);
  std::array<Residuals, kKnowledges> residuals;
  CrossValidation check;
  for (const std::string& family : families) {
    if (families.size() < 2) break;  // nothing would be left to fit
    const OperationLaws others = fit_without(prepared, elsewhere, names, &family);
    const auto found = maps.without.find(family);
    const OperationMap& map = found == maps.without.end() ? maps.map : found->second;
    for (const Prepared& its : prepared) {
      if (its.family != family) continue;
      const ProgramWindow& window = *its.window;
      std::vector<MappedOperation> mapped = map_operations(map, window.program);
      const double host_s = others.host.seconds(its.calls_s);
      const auto composed = [&](Knowledge knowledge, double its_host_s) {
        return compose(others, knowledge, its_host_s, sum_of_operations(mapped, its.counts),
                       work_terms(mapped, its.counts, map.device), {});
      };
      const ComposedStep alone = composed(Knowledge::profile, host_s);
      add_errors(alone, window, check);
      add_residuals(alone, window, residuals[static_cast<std::size_t>(Knowledge::profile)]);
      time_dearest(maps.map, its, mapped);
      add_residuals(composed(Knowledge::device, combined_host_s(host_s, window.host_s)), window,
                    residuals[static_cast<std::size_t>(Knowledge::device)]);
    }
  }
  if (check.networks > 0)
    laws.cross_validated = {check.networks, check.energy_mape / check.networks,
                            check.time_mape / check.networks};
  for (std::size_t i = 0; i < kKnowledges; ++i)
    laws.factors[i] = factors_of(residuals[i], static_cast<Knowledge>(i));
  return laws;
}

}  // namespace ampere
