#include "choose_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/plain_text.h"
#include "print.h"
#include "remedies.h"
#include "report/estimate_json.h"

namespace ampere {
namespace {

constexpr const char* kNoNumber = "–";

// The ranked ones first, then by the wish.
std::vector<std::size_t> in_order(const Chosen& chosen) {
  std::vector<std::size_t> order = most_promising(chosen.choices, chosen.task.goal);
  for (std::size_t i = 0; i < chosen.choices.alternatives.size(); ++i)
    if (chosen.choices.alternatives[i].estimate && std::ranges::find(order, i) == order.end())
      order.push_back(i);
  return order;
}

std::string range_text(const Interval& interval, const char* unit) {
  return fmt::format("{} to {}", with_unit(interval.low, unit), with_unit(interval.high, unit));
}

void add_standing(std::vector<std::string>& marks, Standing standing, const char* uncertain,
                  const char* outside) {
  if (standing == Standing::uncertain) marks.emplace_back(uncertain);
  if (standing == Standing::outside) marks.emplace_back(outside);
}

std::string marks_of(const Choices& choices, std::size_t index) {
  const Alternative& each = choices.alternatives[index];
  std::vector<std::string> marks;
  if (choices.best == index) marks.emplace_back("best");
  if (choices.knee == index) marks.emplace_back("knee");
  if (each.on_front)
    marks.emplace_back("front");
  else if (each.maybe_on_front)
    marks.emplace_back("maybe front");
  add_standing(marks, each.memory, "may not fit", "does not fit");
  if (each.memory == Standing::unknown) marks.emplace_back("memory unknown");
  add_standing(marks, each.energy, "maybe over the budget", "over the budget");
  add_standing(marks, each.time, "maybe too slow", "too slow");
  return fmt::format("{}", fmt::join(marks, ", "));
}

void print_alternatives(const Chosen& chosen) {
  const Choices& choices = chosen.choices;
  const std::string interval = fmt::format("{:.0f} % interval", 100 * chosen.task.goal.confidence);
  // Modelled joules must not win over measured ones without a word.
  const bool several = chosen.task.every_device;
  std::vector<std::vector<std::string>> rows{
      {"", "alternative", "energy", interval, "time", interval, "memory", ""}};
  if (several) rows[0].insert(rows[0].begin() + 3, "joules");
  for (const std::size_t i : in_order(chosen)) {
    const Alternative& each = choices.alternatives[i];
    const Estimate& estimate = *each.estimate;
    rows.push_back(
        {each.rank > 0 ? std::to_string(each.rank) : kNoNumber, plain_text(each.name),
         with_unit(estimate.energy_j->mean, "J"), range_text(*estimate.energy_j, "J"),
         with_unit(estimate.time_s->mean, "s"), range_text(*estimate.time_s, "s"),
         each.peak_bytes ? with_unit(static_cast<double>(*each.peak_bytes), "B") : kNoNumber,
         marks_of(choices, i)});
    if (several) rows.back().insert(rows.back().begin() + 3, to_string(estimate.source));
  }
  if (rows.size() > 1) print_table(rows);
}

// The profiles that answered, each once: one of a family knows its own setup only.
std::vector<std::string> answering(const Choices& choices) {
  std::vector<std::string> profiles;
  for (const Alternative& each : choices.alternatives) {
    if (!each.estimate) continue;
    std::string text = fmt::format("profile {}, {}, method {}", profile_name(each.profile),
                                   to_string(each.estimate->source), each.method);
    if (std::ranges::find(profiles, text) == profiles.end()) profiles.push_back(std::move(text));
  }
  return profiles;
}

void print_heading(const Chosen& chosen) {
  const Goal& goal = chosen.task.goal;
  const auto found = std::ranges::find_if(chosen.choices.alternatives, [](const Alternative& each) {
    return each.estimate.has_value();
  });
  std::string where;
  if (found != chosen.choices.alternatives.end())
    where = chosen.task.every_device ? " on every device with a profile"
                                     : fmt::format(" on {} ({})", found->profile.device.name,
                                                   fmt::join(answering(chosen.choices), "; "));
  fmt::print("{}: {} of {} samples{}\n", plain_text(chosen.subject.name),
             goal.epochs == 1 ? "one epoch" : fmt::format("{} epochs", goal.epochs), goal.samples,
             where);
}

void print_answers(const Chosen& chosen) {
  const Choices& choices = chosen.choices;
  const auto name = [&](std::size_t i) {
    const Alternative& each = choices.alternatives[i];
    const bool is_worth_saying =
        chosen.task.every_device && each.estimate && each.estimate->source != Source::measured;
    return plain_text(each.name) +
           (is_worth_saying ? fmt::format(" ({} joules)", to_string(each.estimate->source)) : "");
  };
  const auto costs = [&](std::size_t i) {
    const Alternative& each = choices.alternatives[i];
    return fmt::format("{}, {}", with_unit(each.energy_j(), "J"), with_unit(each.time_s(), "s"));
  };
  fmt::print("\n");
  if (choices.best)
    fmt::print(
        "best    {}: least {}{}\n", name(*choices.best), to_string(chosen.task.goal.wish),
        chosen.task.goal.most_energy || chosen.task.goal.most_time || chosen.task.goal.memory_bytes
            ? " within every limit"
            : "");
  else
    fmt::print("best    none: {}\n", choices.why_no_best);
  if (choices.least_energy)
    fmt::print("energy  least with {} ({})\n", name(*choices.least_energy),
               costs(*choices.least_energy));
  if (choices.least_time)
    fmt::print("time    least with {} ({})\n", name(*choices.least_time),
               costs(*choices.least_time));
  if (choices.knee)
    fmt::print("knee    {} ({})\n", name(*choices.knee), costs(*choices.knee));
  else if (choices.least_energy)
    fmt::print("knee    none: {}\n", choices.why_no_knee);
  fmt::print(
      "note: all alternatives train on the same samples; whether they learn as much from them is "
      "not known here\n");
}

// One command per kind of remedy: the commands of the others differ only in the settings.
void print_remedies(const Chosen& chosen, const std::vector<const Alternative*>& missing) {
  std::vector<const Alternative*> told;
  for (const Alternative* each : missing) {
    const std::string remedy = remedy_of(chosen, *each);
    const auto like = [&](const Alternative* other) {
      return have_like_remedies(chosen, *each, *other);
    };
    if (remedy.empty() || std::ranges::any_of(told, like)) continue;
    told.push_back(each);
    const bool others = std::ranges::count_if(missing, like) > 1;
    fmt::print("to estimate {}: {}{}\n", plain_text(each->name), plain_lines(remedy),
               others ? ", and so with the settings of the others" : "");
  }
}

void print_missing(const Chosen& chosen) {
  std::vector<const Alternative*> missing;
  for (const Alternative& each : chosen.choices.alternatives)
    if (!each.estimate) missing.push_back(&each);
  for (const Alternative* each : missing)
    fmt::print("not estimated: {}: {}\n", plain_text(each->name), plain_lines(each->reason));
  print_remedies(chosen, missing);
}

bool was_measured(const CheckedAlternative& each) { return each.measured.has_value(); }

void print_measured(const OrderCheck& order, const Choices& choices) {
  if (std::ranges::none_of(order.checked, was_measured)) return;
  std::vector<std::vector<std::string>> rows{
      {"measured", "energy", "estimate is off by", "time", "estimate is off by", ""}};
  const auto off = [](double estimated, double measured) {
    return signed_percent(estimated / measured - 1);
  };
  for (const CheckedAlternative& each : order.checked) {
    const Alternative& alternative = choices.alternatives[each.alternative];
    if (!each.measured) {
      rows.push_back({alternative.name, kNoNumber, kNoNumber, kNoNumber, kNoNumber, "failed"});
      continue;
    }
    rows.push_back({alternative.name, with_unit(each.energy.value, "J"),
                    off(alternative.energy_j(), each.energy.value),
                    with_unit(each.time.count(), "s"), off(alternative.time_s(), each.time.count()),
                    to_string(each.measured->source)});
  }
  print_table(rows);
}

void print_order(const OrderCheck& order, Wish wish) {
  const std::optional<bool> held = order.held();
  if (!held) {
    const bool any = std::ranges::any_of(order.checked, was_measured);
    fmt::print("the order by {} cannot be judged: {} measured, and it takes two\n", to_string(wish),
               any ? "only one was" : "none was");
    return;
  }
  fmt::print(
      "the order by {} {}: {} of {} pairs as predicted, {} the other way round, {} too "
      "close to tell\n",
      to_string(wish), *held ? "held" : "did not hold", order.pairs_held,
      order.pairs_held + order.pairs_turned + order.pairs_close, order.pairs_turned,
      order.pairs_close);
}

void print_checked(const OrderCheck& order, const Choices& choices, Wish wish) {
  fmt::print("\n");
  print_measured(order, choices);
  for (const CheckedAlternative& each : order.checked)
    if (!each.failure.empty())
      fmt::print("failed: {}: {}\n", plain_text(choices.alternatives[each.alternative].name),
                 plain_lines(each.failure));
  print_order(order, wish);
  if (order.measured_best)
    fmt::print("measured best: {}\n", plain_text(choices.alternatives[*order.measured_best].name));
}

}  // namespace

void print_choice(const Chosen& chosen) {
  print_heading(chosen);
  print_alternatives(chosen);
  print_missing(chosen);
  print_answers(chosen);
  for (const std::string& warning : chosen.choices.warnings)
    fmt::print("warning: {}\n", plain_lines(warning));
  if (chosen.checked) print_checked(*chosen.checked, chosen.choices, chosen.task.goal.wish);
}

}  // namespace ampere
