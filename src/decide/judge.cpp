#include <fmt/format.h>

#include <algorithm>

#include "ampere/decide.h"
#include "decide/front.h"
#include "decide/standing.h"

namespace ampere {
namespace {

bool has_costs(const Alternative& each) {
  return each.estimate && each.estimate->energy_j && each.estimate->time_s;
}

// That of the goal, or else that of the device as its profile describes it.
std::optional<std::int64_t> memory_for(const Alternative& each, const Goal& goal) {
  return goal.memory_bytes ? goal.memory_bytes : memory_of(each.profile.device);
}

void compare_with_limits(Alternative& each, const Goal& goal) {
  if (const auto memory = memory_for(each, goal); memory && (goal.memory_bytes || each.peak_bytes))
    each.memory = standing_of_memory(each.peak_bytes, *memory);
  if (goal.most_energy)
    each.energy = has_costs(each) ? standing_of(*each.estimate->energy_j, goal.most_energy->value)
                                  : Standing::unknown;
  if (goal.most_time)
    each.time = has_costs(each) ? standing_of(*each.estimate->time_s, goal.most_time->count())
                                : Standing::unknown;
}

// Nobody knows that it does not fit.
bool may_fit(const Alternative& each) {
  return has_costs(each) && each.memory != Standing::outside;
}

// A peak that is not known keeps nobody out: it is said beside the answer instead.
bool keeps_limits(const Alternative& each) {
  const auto holds = [](Standing standing) {
    return standing == Standing::none || standing == Standing::inside;
  };
  return has_costs(each) && (holds(each.memory) || each.memory == Standing::unknown) &&
         holds(each.energy) && holds(each.time);
}

bool surely_beats(const Alternative& one, const Alternative& other) {
  return one.estimate->energy_j->high < other.estimate->energy_j->low &&
         one.estimate->time_s->high < other.estimate->time_s->low;
}

double cost_of(const Alternative& each, Wish wish) {
  return wish == Wish::energy ? each.energy_j() : each.time_s();
}

std::vector<std::size_t> where(const Choices& choices, bool (*is_wanted)(const Alternative&)) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < choices.alternatives.size(); ++i)
    if (is_wanted(choices.alternatives[i])) indices.push_back(i);
  return indices;
}

// The other cost decides between equal ones.
void sort_by(std::vector<std::size_t>& indices, const Choices& choices, Wish wish) {
  const Wish other = wish == Wish::energy ? Wish::time : Wish::energy;
  std::ranges::stable_sort(indices, {}, [&](std::size_t i) {
    const Alternative& each = choices.alternatives[i];
    return std::pair(cost_of(each, wish), cost_of(each, other));
  });
}

void find_front(Choices& choices, const std::vector<std::size_t>& fitting) {
  std::vector<TimeEnergy> points;
  for (const std::size_t i : fitting)
    points.push_back({choices.alternatives[i].time_s(), choices.alternatives[i].energy_j()});
  const std::vector<bool> best = pareto_front(points);
  std::vector<TimeEnergy> front;
  std::vector<std::size_t> of_front;
  for (std::size_t i = 0; i < fitting.size(); ++i) {
    Alternative& each = choices.alternatives[fitting[i]];
    each.on_front = best[i];
    each.maybe_on_front = std::ranges::none_of(fitting, [&](std::size_t other) {
      return surely_beats(choices.alternatives[other], each);
    });
    if (!best[i]) continue;
    front.push_back(points[i]);
    of_front.push_back(fitting[i]);
  }
  if (const auto knee = knee_of(front)) choices.knee = of_front[*knee];
  if (front.size() == 1)
    choices.why_no_knee = "one alternative is best in both energy and time";
  else if (front.size() == 2)
    choices.why_no_knee = "the front has only two alternatives";
  else if (!choices.knee)
    choices.why_no_knee = front.empty() ? "there is no front"
                                        : "no alternative lies below the line between the fastest "
                                          "and the most economical one";
}

// What the nearest alternative would need.
std::string why_no_best(const Choices& choices, const std::vector<std::size_t>& fitting,
                        const Goal& goal) {
  if (where(choices, has_costs).empty()) return "nothing could be estimated";
  if (fitting.empty()) {
    std::vector<std::size_t> all = where(choices, has_costs);
    const auto smallest = std::ranges::min_element(
        all, {}, [&](std::size_t i) { return *choices.alternatives[i].peak_bytes; });
    const Alternative& each = choices.alternatives[*smallest];
    return fmt::format(
        "none fits into {:.3g} GB of memory; {} needs least, {:.3g} GB: try a smaller batch, "
        "accumulated as often as it takes",
        static_cast<double>(*memory_for(each, goal)) / 1e9, each.name,
        static_cast<double>(*each.peak_bytes) / 1e9);
  }
  std::string text = "no alternative certainly stays within every limit";
  if (goal.most_energy) {
    const Alternative& each = choices.alternatives[*choices.least_energy];
    text += fmt::format("; the closest{} is {}, {:.3g} to {:.3g} kJ",
                        goal.most_time ? " in energy" : "", each.name,
                        each.estimate->energy_j->low / 1e3, each.estimate->energy_j->high / 1e3);
  }
  if (goal.most_time) {
    const Alternative& each = choices.alternatives[*choices.least_time];
    text +=
        fmt::format("; the closest{} is {}, {:.3g} to {:.3g} s", goal.most_energy ? " in time" : "",
                    each.name, each.estimate->time_s->low, each.estimate->time_s->high);
  }
  if (std::ranges::all_of(fitting, [&](std::size_t i) {
        return choices.alternatives[i].memory == Standing::uncertain;
      }))
    text += "; none certainly fits into the memory";
  return text;
}

}  // namespace

void judge(Choices& choices, const Goal& goal) {
  for (Alternative& each : choices.alternatives) compare_with_limits(each, goal);
  std::vector<std::size_t> fitting = where(choices, may_fit);
  find_front(choices, fitting);
  if (!fitting.empty()) {
    sort_by(fitting, choices, Wish::time);
    choices.least_time = fitting.front();
    sort_by(fitting, choices, Wish::energy);
    choices.least_energy = fitting.front();
  }
  std::vector<std::size_t> ranked = where(choices, keeps_limits);
  sort_by(ranked, choices, goal.wish);
  for (std::size_t i = 0; i < ranked.size(); ++i)
    choices.alternatives[ranked[i]].rank = static_cast<int>(i) + 1;
  if (ranked.empty())
    choices.why_no_best = why_no_best(choices, fitting, goal);
  else
    choices.best = ranked.front();
}

std::vector<std::size_t> most_promising(const Choices& choices, const Goal& goal) {
  std::vector<std::size_t> order = where(choices, keeps_limits), rest = where(choices, may_fit);
  std::erase_if(rest, [&](std::size_t i) { return choices.alternatives[i].rank > 0; });
  sort_by(order, choices, goal.wish);
  sort_by(rest, choices, goal.wish);
  order.insert(order.end(), rest.begin(), rest.end());
  return order;
}

}  // namespace ampere
