#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "ampere/decide.h"
#include "decide/check_generation.h"
#include "decide/context_curve.h"
#include "decide/generation_limits.h"

namespace ampere {
namespace {

Interval shared(const Interval& whole, double parts) {
  return {whole.mean / parts, whole.low / parts, whole.high / parts, whole.confidence};
}

Interval together(const Interval& one, const Interval& other) {
  return {one.mean + other.mean, one.low + other.low, one.high + other.high, one.confidence};
}

[[noreturn]] void refuse_batch(std::int64_t batch, const std::string& why) {
  throw Error(ErrorCode::usage, fmt::format("batch {}: {}", batch, why));
}

// The traced calls of one batch.
struct BatchCalls {
  std::map<std::int64_t, const CallCost*> prefills;  // by the length of the prompt
  std::map<std::int64_t, const CallCost*> decodes;   // by the length of the context

  void add(const CallCost& call) {
    const bool decodes_one = call.call.stage == GenerationStage::decode;
    auto& calls = decodes_one ? decodes : prefills;
    if (!calls.emplace(decodes_one ? call.call.context : call.call.tokens, &call).second)
      throw Error(ErrorCode::usage,
                  fmt::format("two programs are the same call ({})", to_string(call.call)));
  }
};

ContextCurve curve_of(const BatchCalls& calls, const std::optional<Interval> Estimate::*cost) {
  std::vector<ContextCurve::Knot> knots;
  for (const auto& [context, call] : calls.decodes)
    knots.push_back({context, (call->estimate.*cost).value()});
  return ContextCurve(std::move(knots));
}

class BatchComposer {
 public:
  BatchComposer(const GenerationTask& task, std::int64_t batch, const BatchCalls& calls)
      : task_(task), calls_(calls) {
    cost_.batch = batch;
  }

  GenerationCost compose(std::vector<std::string>& warnings) {
    add_prefill();
    if (!calls_.decodes.empty()) add_contexts();
    if (task_.decodes() > 0) add_decodes(warnings);
    return std::move(cost_);
  }

 private:
  double sequences() const { return static_cast<double>(cost_.batch); }

  void add_prefill() {
    const auto found = calls_.prefills.find(task_.prompt);
    if (found == calls_.prefills.end()) {
      std::vector<std::int64_t> lengths;
      for (const auto& [length, call] : calls_.prefills) lengths.push_back(length);
      refuse_batch(cost_.batch,
                   fmt::format("no prefill of a prompt of {} tokens was traced{}", task_.prompt,
                               lengths.empty() ? ""
                                               : fmt::format("; there are prompts of {}",
                                                             fmt::join(lengths, ", "))));
    }
    const CallCost& prefill = *found->second;
    cost_.prefill_j = cost_.energy_j = prefill.estimate.energy_j.value();
    cost_.first_token_s = cost_.time_s = prefill.estimate.time_s.value();
    cost_.energy_j_per_prompt_token =
        shared(cost_.prefill_j, sequences() * static_cast<double>(task_.prompt));
    cost_.prefill = prefill.estimate.iteration.value();
    cost_.peak_bytes = cost_.prefill.peak_bytes;
    cost_.cache_bytes = prefill.call.cache_bytes;
  }

  void add_contexts() {
    for (const auto& [context, call] : calls_.decodes)
      cost_.contexts.push_back({context, shared(call->estimate.energy_j.value(), sequences()),
                                call->estimate.time_s.value()});
  }

  void require_contexts() const {
    if (calls_.decodes.empty())
      refuse_batch(cost_.batch, "no decode was traced, and more than one new token is asked for");
    const std::int64_t first = calls_.decodes.begin()->first, last = calls_.decodes.rbegin()->first;
    if (task_.first_context() < first || task_.last_context() > last)
      refuse_batch(
          cost_.batch,
          fmt::format("decodes need contexts of {} to {} tokens, and those that were traced have "
                      "{} to {}; nothing is extrapolated: trace the ends, too",
                      task_.first_context(), task_.last_context(), first, last));
  }

  void add_decodes(std::vector<std::string>& warnings) {
    require_contexts();
    const ContextCurve energy = curve_of(calls_, &Estimate::energy_j),
                       time = curve_of(calls_, &Estimate::time_s);
    const std::int64_t first = task_.first_context(), last = task_.last_context();
    const auto steps = static_cast<double>(task_.decodes());
    cost_.decode_j = energy.sum(first, last);
    cost_.decode_s = time.sum(first, last);
    cost_.energy_j = together(cost_.prefill_j, *cost_.decode_j);
    cost_.time_s = together(cost_.first_token_s, *cost_.decode_s);
    cost_.energy_j_per_new_token = shared(*cost_.decode_j, steps * sequences());
    cost_.between_tokens_s = shared(*cost_.decode_s, steps);
    cost_.slowest_token_s = time.at(last);
    if (!energy.is_traced(first, last)) {
      if (energy.line_error())
        cost_.interpolation_error = std::max(*energy.line_error(), *time.line_error());
      else
        warnings.push_back(fmt::format(
            "batch {}: costs between contexts of {} and {} tokens are taken from a straight line "
            "that nothing checks: trace one between them",
            cost_.batch, energy.first(), energy.last()));
    }
    add_memory(last);
  }

  // The first traced context that is not shorter than the last needed one has at least its memory.
  void add_memory(std::int64_t context) {
    const CallCost& decode = *calls_.decodes.lower_bound(context)->second;
    cost_.decode = decode.estimate.iteration.value();
    cost_.cache_bytes = decode.call.cache_bytes;
    const auto peak = cost_.decode->peak_bytes;
    cost_.peak_bytes =
        cost_.peak_bytes && peak ? std::optional(std::max(*cost_.peak_bytes, *peak)) : std::nullopt;
  }

  const GenerationTask& task_;
  const BatchCalls& calls_;
  GenerationCost cost_;
};

}  // namespace

GenerationCosts compose_generation(const GenerationTask& task, const std::vector<CallCost>& calls) {
  check_generation(task);
  if (calls.empty()) throw Error(ErrorCode::usage, "there is no traced call to generate with");
  std::map<std::int64_t, BatchCalls> batches;
  for (const CallCost& call : calls) batches[call.call.batch].add(call);
  GenerationCosts costs;
  for (const auto& [batch, of_batch] : batches)
    costs.batches.push_back(BatchComposer(task, batch, of_batch).compose(costs.warnings));
  find_best_batch(costs, task);
  return costs;
}

}  // namespace ampere
