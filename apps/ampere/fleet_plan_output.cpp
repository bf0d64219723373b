// A plan as text and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/quantity_json.h"
#include "base/utc.h"
#include "fleet_planning.h"
#include "print.h"

namespace ampere {
namespace {

std::string low_to_high(const Interval& interval, const char* unit) {
  return fmt::format("{} – {}", with_unit(interval.low, unit), with_unit(interval.high, unit));
}

// Jobs that cost the same everywhere are shown once: index of the first, and how many they are.
std::vector<std::pair<std::size_t, std::size_t>> alike(const FleetPlan& plan) {
  std::map<std::string, std::size_t> place;
  std::vector<std::pair<std::size_t, std::size_t>> groups;
  for (std::size_t j = 0; j < plan.jobs.jobs.size(); ++j) {
    const JobSpec& job = plan.jobs.jobs[j];
    std::string key =
        fmt::format("{} {} {} {}", job.model, to_string(job.setup), job.iterations, job.confidence);
    for (const std::string& device : job.devices) key += " " + device;
    const auto [found, fresh] = place.emplace(key, groups.size());
    if (fresh) groups.emplace_back(j, 0);
    ++groups[found->second].second;
  }
  return groups;
}

void print_costs(const FleetPlan& plan) {
  std::vector<std::vector<std::string>> rows{
      {"job", "device", "energy", "interval", "reserved", "at most for", "power at most"}};
  for (const auto& [j, count] : alike(plan)) {
    std::string name = plan.jobs.jobs[j].name;
    if (count > 1) name += fmt::format(" and {} more", count - 1);
    for (std::size_t k = 0; k < plan.costs.kinds.size(); ++k) {
      const CostCell& cell = plan.costs.cells[j][k];
      if (!cell.cost) continue;
      const JobCost& cost = *cell.cost;
      rows.push_back({name, plan.costs.kinds[k].spec.name, with_unit(cost.energy_j.mean, "J"),
                      low_to_high(cost.energy_j, "J"), with_unit(cost.reserved.value, "J"),
                      duration(cost.occupied_most.count()), with_unit(cost.power_most.value, "W")});
    }
  }
  print_table(rows);
}

void print_placements(const FleetPlan& plan) {
  std::vector<std::vector<std::string>> rows{{"job", "device", "begins after", "ends before"}};
  for (const Placement& placement : plan.by_begin())
    rows.push_back({plan.jobs.jobs[placement.job].name,
                    fmt::format("{} {}", plan.costs.kinds[plan.kind_of(placement)].spec.name,
                                placement.device + 1),
                    duration(placement.begin.count()), duration(placement.end.count())});
  print_table(rows);
}

Source weakest_source(const FleetPlan& plan) {
  Source weakest = Source::measured;
  for (const Placement& placement : plan.schedule.placements)
    weakest = std::max(weakest, plan.cost_of(placement).source);
  return weakest;
}

// The highest sum of upper bounds at any moment.
Watts highest_power(const FleetPlan& plan) {
  Watts highest;
  for (const Placement& at : plan.schedule.placements) {
    double sum = 0;
    for (const Placement& other : plan.schedule.placements)
      if (other.begin <= at.begin && at.begin < other.end)
        sum += plan.cost_of(other).power_most.value;
    highest.value = std::max(highest.value, sum);
  }
  return highest;
}

std::string gap_text(const Schedule& schedule) {
  return std::isfinite(schedule.gap()) ? percent(schedule.gap()) : "unknown";
}

double saved_share(const Schedule& schedule) {
  return schedule.energy_on_fastest.value > 0
             ? 1 - schedule.energy.value / schedule.energy_on_fastest.value
             : 0;
}

Json choices_json(const FleetPlan& plan, std::size_t job) {
  Json choices = Json::array();
  for (std::size_t k = 0; k < plan.costs.kinds.size(); ++k) {
    const CostCell& cell = plan.costs.cells[job][k];
    Json choice{{"device", plan.costs.kinds[k].spec.name}};
    if (!cell.cost) {
      choice["reason"] = cell.reason;
    } else {
      choice["energy_j"] = interval_json(cell.cost->energy_j);
      choice["time_s"] = interval_json(cell.cost->time_s);
      choice["reserved_j"] = cell.cost->reserved.value;
      choice["occupied_most_s"] = cell.cost->occupied_most.count();
      choice["power_most_w"] = cell.cost->power_most.value;
      choice["source"] = to_string(cell.cost->source);
      choice["method"] = cell.cost->method;
      choice["profile"] = cell.cost->profile;
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

}  // namespace

void print_plan(const FleetPlan& plan) {
  print_costs(plan);
  fmt::print("\n");
  print_placements(plan);
  const Schedule& schedule = plan.schedule;
  const char* source = to_string(weakest_source(plan));
  fmt::print("\n{} jobs: {} expected ({}), {} reserved; the last one ends after {} at most\n",
             plan.jobs.jobs.size(), with_unit(schedule.energy.value, "J"), source,
             with_unit(schedule.energy_most.value, "J"), duration(schedule.end.count()));
  fmt::print("{} less energy than on the fastest devices ({})\n", percent(saved_share(schedule)),
             with_unit(schedule.energy_on_fastest.value, "J"));
  fmt::print("power at most {}{}\n", with_unit(highest_power(plan).value, "W"),
             plan.task.cap ? fmt::format(" of {}", with_unit(plan.task.cap->value, "W")) : "");
  if (plan.task.budget) fmt::print("budget {}\n", with_unit(plan.task.budget->value, "J"));
  fmt::print("by {}: at most {} above the best plan there can be\n", to_string(plan.task.objective),
             gap_text(schedule));
}

Json plan_json(const FleetPlan& plan) {
  Json jobs = Json::array();
  for (const Placement& placement : plan.by_begin()) {
    const JobSpec& job = plan.jobs.jobs[placement.job];
    jobs.push_back({{"name", job.name},
                    {"device", plan.costs.kinds[plan.kind_of(placement)].spec.name},
                    {"number", placement.device},
                    {"begin_s", placement.begin.count()},
                    {"end_s", placement.end.count()},
                    {"choices", choices_json(plan, placement.job)}});
  }
  const Schedule& schedule = plan.schedule;
  return {{"list", plan.jobs.name},
          {"now", utc_text(plan.now)},
          {"objective", to_string(plan.task.objective)},
          {"value", schedule.value},
          {"bound", schedule.bound},
          {"gap", std::isfinite(schedule.gap()) ? Json(schedule.gap()) : Json(nullptr)},
          {"energy_j", schedule.energy.value},
          {"energy_most_j", schedule.energy_most.value},
          {"energy_on_fastest_j", schedule.energy_on_fastest.value},
          {"end_s", schedule.end.count()},
          {"power_most_w", highest_power(plan).value},
          {"cap_w", plan.task.cap ? Json(plan.task.cap->value) : Json(nullptr)},
          {"budget_j", plan.task.budget ? Json(plan.task.budget->value) : Json(nullptr)},
          {"source", to_string(weakest_source(plan))},
          {"jobs", std::move(jobs)}};
}

}  // namespace ampere
