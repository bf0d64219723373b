#include "generation_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/plain_text.h"
#include "base/text.h"
#include "print.h"
#include "report/estimate_json.h"
#include "terminal.h"

namespace ampere {
namespace {

constexpr const char* kNoCost = "–";

std::string interval_text(const Interval& interval, const char* unit) {
  return fmt::format("{}   ({:.0f} % interval {} to {})", with_unit(interval.mean, unit),
                     interval.confidence * 100, with_unit(interval.low, unit),
                     with_unit(interval.high, unit));
}

std::string mean_text(const std::optional<Interval>& interval, const char* unit) {
  return interval ? with_unit(interval->mean, unit) : kNoCost;
}

std::string range_cell(const std::optional<Interval>& interval, const char* unit) {
  return interval ? fmt::format("{} to {}", with_unit(interval->low, unit),
                                with_unit(interval->high, unit))
                  : kNoCost;
}

std::string bytes_cell(const std::optional<std::int64_t>& bytes) {
  return bytes ? with_unit(static_cast<double>(*bytes), "B") : kNoCost;
}

std::string scatter_text(const Quantity& quantity) {
  return quantity.stddev ? fmt::format(" ± {:.0f} %", 100 * *quantity.stddev / quantity.mean) : "";
}

// What the answer has from the device itself.
void print_at_hand(const SeenAtHand& seen) {
  std::vector<std::string> words{fmt::format(
      "{} timed", counted(static_cast<std::int64_t>(seen.timed_operations), "operation"))};
  for (const HostLook& look : seen.host)
    if (look.is_used)
      words.push_back(fmt::format("the host by a {} ({}{}, looked at {})", to_string(look.call),
                                  with_unit(look.time_s.mean, "s"), scatter_text(look.time_s),
                                  counted(look.times, "time")));
  fmt::print("seen on this device: {}\n", fmt::join(words, "; "));
}

void print_generation_heading(const Generated& generated) {
  const GenerationAnswer& answer = generated.answer;
  const ProfileRow& row = answer.profile.row;
  fmt::print("{}: prompts of {}, {} each, {}, on {} (profile {}, {}, method {})\n",
             plain_text(answer.name), counted(generated.task.prompt, "token"),
             counted(generated.task.new_tokens, "new token"), answer.number_format, row.device.name,
             profile_name(row), to_string(answer.source), answer.method);
  fmt::print("profile {}, {}, {}{}\n", answer.profiled_at.substr(0, 10), row.device.framework,
             row.device.driver, row.shipped.empty() ? "" : "; it came with the program");
  if (answer.at_hand) print_at_hand(*answer.at_hand);
}

void print_one(const GenerationCost& cost) {
  fmt::print("\nbatch {}\n", cost.batch);
  fmt::print("prompt token     {}\n", interval_text(cost.energy_j_per_prompt_token, "J"));
  if (cost.energy_j_per_new_token)
    fmt::print("new token        {}\n", interval_text(*cost.energy_j_per_new_token, "J"));
  else
    fmt::print("new token        none is decoded: the first comes out of the prefill\n");
  fmt::print("to first token   {}\n", interval_text(cost.first_token_s, "s"));
  if (cost.between_tokens_s)
    fmt::print("between tokens   {}\n", interval_text(*cost.between_tokens_s, "s"));
  fmt::print("all sequences    {}\n", interval_text(cost.energy_j, "J"));
  fmt::print("                 {}\n", interval_text(cost.time_s, "s"));
  fmt::print("memory           {} at the peak; the cache ends with {}\n",
             bytes_cell(cost.peak_bytes), bytes_cell(cost.cache_bytes));
  fmt::print("waits for        the {} in the prefill{}\n", limit_of(cost.prefill),
             cost.decode ? fmt::format(", the {} in decodes", limit_of(*cost.decode)) : "");
}

std::string batch_marks(const GenerationCosts& costs, std::size_t index) {
  const GenerationCost& cost = costs.batches[index];
  std::vector<std::string> marks;
  if (costs.best == index) marks.emplace_back("cheapest");
  const auto mark = [&](Standing standing, const char* uncertain, const char* outside) {
    if (standing == Standing::uncertain) marks.emplace_back(uncertain);
    if (standing == Standing::outside) marks.emplace_back(outside);
  };
  mark(cost.between_tokens, "maybe too slow", "too slow");
  mark(cost.to_first_token, "maybe late", "late");
  mark(cost.memory, "may not fit", "does not fit");
  if (cost.memory == Standing::unknown) marks.emplace_back("memory unknown");
  return fmt::format("{}", fmt::join(marks, ", "));
}

void print_batches(const GenerationCosts& costs) {
  std::vector<std::vector<std::string>> rows{
      {"batch", "prompt token", "new token",
       fmt::format("{:.0f} % interval", 100 * costs.batches[0].energy_j.confidence), "to first",
       "between", "memory", ""}};
  for (std::size_t i = 0; i < costs.batches.size(); ++i) {
    const GenerationCost& cost = costs.batches[i];
    rows.push_back({std::to_string(cost.batch), with_unit(cost.energy_j_per_prompt_token.mean, "J"),
                    mean_text(cost.energy_j_per_new_token, "J"),
                    range_cell(cost.energy_j_per_new_token, "J"),
                    with_unit(cost.first_token_s.mean, "s"), mean_text(cost.between_tokens_s, "s"),
                    bytes_cell(cost.peak_bytes), batch_marks(costs, i)});
  }
  fmt::print("\n");
  print_table(rows);
}

// Energy per new token: a row per batch, a column per traced context.
void print_contexts(const GenerationCosts& costs) {
  std::set<std::int64_t> contexts;
  for (const GenerationCost& cost : costs.batches)
    for (const ContextCost& each : cost.contexts) contexts.insert(each.context);
  if (contexts.size() < 2) return;
  std::vector<std::vector<std::string>> rows{{"per new token"}};
  for (const std::int64_t context : contexts)
    rows.front().push_back(fmt::format("context {}", context));
  for (const GenerationCost& cost : costs.batches) {
    rows.push_back({fmt::format("batch {}", cost.batch)});
    for (const std::int64_t context : contexts) {
      const auto found = std::ranges::find(cost.contexts, context, &ContextCost::context);
      rows.back().push_back(
          found == cost.contexts.end() ? kNoCost : with_unit(found->energy_j_per_token.mean, "J"));
    }
  }
  fmt::print("\n");
  print_table(rows);
}

std::string limits_text(const GenerationTask& task) {
  std::vector<std::string> limits;
  if (task.most_between_tokens)
    limits.push_back(with_unit(task.most_between_tokens->count(), "s") + " between tokens");
  if (task.most_to_first_token)
    limits.push_back(with_unit(task.most_to_first_token->count(), "s") + " to the first token");
  if (task.memory_bytes)
    limits.push_back(with_unit(static_cast<double>(*task.memory_bytes), "B") + " of memory");
  return limits.empty() ? "" : fmt::format(" inside of {}", fmt::join(limits, ", "));
}

// Where the intervals leave nothing, or less, the means are said beside it.
void print_best(const Generated& generated) {
  const GenerationCosts& costs = generated.answer.costs;
  const std::string limits = limits_text(generated.task);
  if (costs.batches.size() < 2 && limits.empty()) return;
  const auto text = [&](std::size_t i) {
    const GenerationCost& cost = costs.batches[i];
    return fmt::format("batch {} ({} per sequence)", cost.batch,
                       with_unit(cost.energy_j.mean / static_cast<double>(cost.batch), "J"));
  };
  fmt::print("\n");
  if (costs.best)
    fmt::print("cheapest{}: {}\n", limits, text(*costs.best));
  else
    fmt::print("cheapest{}: none, since {}\n", limits, costs.why_no_best);
  if (costs.maybe_best && costs.maybe_best != costs.best)
    fmt::print("by the means alone, without their intervals: {}\n", text(*costs.maybe_best));
}

}  // namespace

void print_generation(const Generated& generated) {
  const GenerationCosts& costs = generated.answer.costs;
  print_generation_heading(generated);
  if (costs.batches.size() == 1)
    print_one(costs.batches.front());
  else
    print_batches(costs);
  print_contexts(costs);
  print_best(generated);
  print_warnings(costs.warnings);
}

}  // namespace ampere
