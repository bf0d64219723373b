#include "measure_output.h"

#include <fmt/format.h>

#include <csignal>

#include "base/or_null.h"
#include "base/quantity_json.h"
#include "base/stats.h"
#include "print.h"
#include "record/record_json.h"

namespace ampere {
namespace {

Quantity spread_of(const std::vector<double>& values) {
  return {mean(values), standard_deviation(values)};
}

// The values of all runs whose energy is known.
template <class Value>
std::vector<double> values_of(const CommandUsage& result, Value value) {
  std::vector<double> values;
  for (const MeasuredRun& run : result.runs)
    if (run.usage) values.push_back(value(run));
  return values;
}

double energy_of(const MeasuredRun& run) { return run.usage->total.value; }
double time_of(const MeasuredRun& run) { return run.usage->time.count(); }

// A counter outside the total that did not move says nothing.
std::optional<double> domain_energy(const MeterInfo& info, const Usage& usage, std::size_t domain) {
  const double energy = usage.energy[domain].value;
  if (info.sensing == Sensing::counter && energy <= 0) return std::nullopt;
  return energy;
}

std::string signal_name(int signal) {
  const char* name = sigabbrev_np(signal);
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal);
}

std::string off_by(const Usage& usage) {
  return usage.uncertainty ? fmt::format(" ± {:.2g} %", *usage.uncertainty * 100) : "";
}

std::string watts(double value) { return with_unit(value, "W"); }
std::string joules(double value) { return with_unit(value, "J"); }

std::string spread_text(const std::vector<double>& values, const std::string& unit) {
  const Quantity spread = spread_of(values);
  if (!spread.stddev) return with_unit(spread.mean, unit);
  return fmt::format("{} ± {} ({})", with_unit(spread.mean, unit), with_unit(*spread.stddev, unit),
                     percent(*spread.stddev / spread.mean));
}

std::string runs_table(const CommandUsage& result) {
  std::vector<std::vector<std::string>> rows{{"run", "time", "energy", "mean", "peak"}};
  if (result.idle) rows[0].push_back("net");
  for (std::size_t i = 0; i < result.runs.size(); ++i) {
    const MeasuredRun& run = result.runs[i];
    rows.push_back({fmt::format("{}", i + 1), with_unit(run.time.count(), "s")});
    if (!run.usage) continue;
    for (const std::string& cell :
         {joules(energy_of(run)) + off_by(*run.usage), watts(run.usage->mean_power().value),
          run.peak ? watts(run.peak->value) : "-"})
      rows.back().push_back(cell);
    if (result.idle) rows.back().push_back(joules(net_of(*run.usage, *result.idle).total.value));
  }
  return table_text(rows);
}

std::string domains_table(const CommandUsage& result) {
  std::vector<std::vector<std::string>> rows{{"domain", "energy", "power"}};
  if (result.idle) rows[0].push_back("net");
  rows[0].push_back("");
  for (std::size_t i = 0; i < result.meter.domains.size(); ++i) {
    const MeterDomain& domain = result.meter.domains[i];
    std::vector<double> energies, powers, nets;
    for (const MeasuredRun& run : result.runs) {
      const auto energy = run.usage ? domain_energy(result.meter, *run.usage, i) : std::nullopt;
      if (!energy) continue;
      energies.push_back(*energy);
      powers.push_back(*energy / time_of(run));
      if (result.idle) nets.push_back(net_of(*run.usage, *result.idle).energy[i].value);
    }
    if (energies.empty()) {
      rows.push_back({domain.name, "unknown: its counter did not move"});
      continue;
    }
    rows.push_back({domain.name, joules(mean(energies)), watts(mean(powers))});
    if (result.idle) rows.back().push_back(joules(mean(nets)));
    rows.back().push_back(domain.in_total ? "" : "not in the total");
  }
  return table_text(rows);
}

std::string idle_text(const CommandUsage& result) {
  const Usage& idle = *result.idle;
  return fmt::format("idle    {} for {} before\nnet     {}\n", watts(idle.mean_power().value),
                     with_unit(idle.time.count(), "s"),
                     spread_text(values_of(result,
                                           [&idle](const MeasuredRun& run) {
                                             return net_of(*run.usage, idle).total.value;
                                           }),
                                 "J"));
}

std::string power_text(const CommandUsage& result) {
  std::optional<double> peak;
  for (const MeasuredRun& run : result.runs)
    if (run.peak) peak = std::max(peak.value_or(0), run.peak->value);
  const auto powers =
      values_of(result, [](const MeasuredRun& run) { return run.usage->mean_power().value; });
  return fmt::format("power   {} mean, {}\n", watts(mean(powers)),
                     peak ? watts(*peak) + " peak" : "peak unknown (too short)");
}

std::string end_text(const CommandUsage& result) {
  std::string text;
  if (result.stopped_by != 0)
    text += fmt::format("stopped by {} after {} run{}\n", signal_name(result.stopped_by),
                        result.runs.size(), result.runs.size() == 1 ? "" : "s");
  if (result.runs.empty()) return text;
  const MeasuredRun& last = result.runs.back();
  if (last.end.signal != 0)
    text += fmt::format("the command was killed by {}\n", signal_name(last.end.signal));
  else if (last.end.status != 0)
    text += fmt::format("the command ended with status {}\n", last.end.status);
  if (last.usage) return text;
  text += fmt::format("energy unknown: {}\n", last.unknown);
  if (last.known_part)
    text += fmt::format("known: {} in {} of it\n", joules(last.known_part->total.value),
                        with_unit(last.known_part->time.count(), "s"));
  return text;
}

Json spread_json(const std::vector<double>& values) {
  if (values.empty()) return nullptr;
  return quantity_json(spread_of(values));
}

Json usage_json(const MeterInfo& info, const Usage& usage) {
  Json domains = Json::object();
  for (std::size_t i = 0; i < info.domains.size(); ++i)
    domains[info.domains[i].name] = or_null(domain_energy(info, usage, i));
  return {{"time_s", usage.time.count()},
          {"energy_j", usage.total.value},
          {"energy_j_by_domain", domains}};
}

Json idle_json(const CommandUsage& result) {
  if (!result.idle) return nullptr;
  Json json = usage_json(result.meter, *result.idle);
  json["power_w"] = result.idle->mean_power().value;
  return json;
}

Json net_json(const CommandUsage& result, const Usage& usage, Json& by_domain) {
  if (!result.idle) return nullptr;
  const NetUsage net = net_of(usage, *result.idle);
  by_domain = Json::object();
  for (std::size_t i = 0; i < net.energy.size(); ++i)
    by_domain[result.meter.domains[i].name] = net.energy[i].value;
  return net.total.value;
}

Json run_json(const CommandUsage& result, const MeasuredRun& run) {
  Json json;
  if (run.usage) {
    json = usage_json(result.meter, *run.usage);
    Json by_domain;
    json["net_j"] = net_json(result, *run.usage, by_domain);
    json["net_j_by_domain"] = by_domain;
    json["power_w"] = {{"mean", run.usage->mean_power().value},
                       {"peak", run.peak ? Json(run.peak->value) : Json()}};
    json["uncertainty"] = or_null(run.usage->uncertainty);
  } else {
    json = {{"time_s", run.time.count()}, {"energy_j", nullptr}, {"reason", run.unknown}};
    json["known_part"] = run.known_part ? usage_json(result.meter, *run.known_part) : Json();
  }
  json["begin_s"] = run.begin.count();
  json["exit_status"] = run.end.status;
  json["signal"] = run.end.signal != 0 ? Json(signal_name(run.end.signal)) : Json();
  return json;
}

}  // namespace

std::string measure_text(const CommandUsage& result) {
  const MeterInfo& info = result.meter;
  std::string text =
      fmt::format("\nmeter   {} ({}, {})\n", info.name, info.method, to_string(info.source));
  const std::vector<double> energies = values_of(result, energy_of);
  if (energies.empty() && !result.runs.empty())
    text += fmt::format("time    {}\n", with_unit(result.runs.back().time.count(), "s"));
  if (!energies.empty()) {
    const bool one = energies.size() == 1;
    if (result.runs.size() > 1)
      text += runs_table(result) +
              fmt::format("mean of {} and its standard deviation\n", energies.size());
    text += fmt::format("time    {}\n", spread_text(values_of(result, time_of), "s"));
    text += fmt::format("energy  {}{}\n", spread_text(energies, "J"),
                        one ? off_by(*result.runs.front().usage) : "");
    text += power_text(result);
    if (result.idle) text += idle_text(result);
    text += domains_table(result);
  }
  text += end_text(result);
  for (const std::string& warning : result.warnings) text += "note: " + warning + "\n";
  return text;
}

Json measure_json(const CommandUsage& result, const std::vector<std::string>& command) {
  Json runs = Json::array();
  for (const MeasuredRun& run : result.runs) runs.push_back(run_json(result, run));
  return {{"command", command},
          {"meter", meter_json(result.meter)},
          {"source", to_string(result.meter.source)},
          {"idle", idle_json(result)},
          {"runs", runs},
          {"energy_j", spread_json(values_of(result, energy_of))},
          {"time_s", spread_json(values_of(result, time_of))},
          {"interrupted", result.stopped_by != 0},
          {"warnings", result.warnings}};
}

std::optional<Footprint> footprint_of(const CommandUsage& result,
                                      const std::vector<std::string>& command) {
  Footprint footprint;
  for (const double energy : values_of(result, energy_of)) footprint.energy_j += energy;
  for (const double time : values_of(result, time_of)) footprint.time_s += time;
  if (!(footprint.time_s > 0)) return std::nullopt;
  footprint.name = command.empty() ? "" : command.front();
  for (std::size_t i = 1; i < command.size(); ++i) footprint.name += " " + command[i];
  footprint.device = result.meter.name;
  footprint.is_gpu = measures_gpu(result.meter.name);
  footprint.source = result.meter.source;
  return footprint;
}

}  // namespace ampere
