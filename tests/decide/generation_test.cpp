// What generating text costs, put together from the costs of single calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/decide.h"
#include "ampere/error.h"
#include "decide/context_curve.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

GenerationTask task_of(std::int64_t prompt, std::int64_t new_tokens) {
  GenerationTask task;
  task.prompt = prompt;
  task.new_tokens = new_tokens;
  return task;
}

// The interval reaches to half and to twice the mean.
CallCost call_of(GenerationStep call, double energy_j, double time_s, std::int64_t peak = 1000) {
  CallCost cost{call, {}};
  cost.estimate.energy_j = Interval{energy_j, energy_j / 2, energy_j * 2};
  cost.estimate.time_s = Interval{time_s, time_s / 2, time_s * 2};
  cost.estimate.iteration.emplace().peak_bytes = peak;
  return cost;
}
CallCost prefill(std::int64_t batch, std::int64_t tokens, double energy_j, double time_s) {
  return call_of({GenerationStage::prefill, batch, tokens, 0, 10 * tokens}, energy_j, time_s);
}
CallCost decode(std::int64_t batch, std::int64_t context, double energy_j, double time_s,
                std::int64_t peak = 1000) {
  return call_of({GenerationStage::decode, batch, 1, context, 10 * (context + 1)}, energy_j, time_s,
                 peak);
}

std::string refusal(const GenerationTask& task, const std::vector<CallCost>& calls) {
  try {
    compose_generation(task, calls);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "nothing was refused";
}

TEST(CallsToTrace, CoverEveryContextThatIsNeeded) {
  const auto calls = calls_to_trace(task_of(512, 256), {8, 1, 8});
  ASSERT_EQ(calls.size(), 10u);  // each batch once
  EXPECT_EQ(calls[0], (GenerationStep{GenerationStage::prefill, 1, 512, 0}));
  std::vector<std::int64_t> contexts;
  for (std::size_t i = 6; i < 10; ++i) contexts.push_back(calls[i].context);
  EXPECT_THAT(contexts, ElementsAre(512, 596, 681, 766));
  EXPECT_EQ(calls[9].batch, 8);
}

TEST(CallsToTrace, NoContextIsTracedTwiceAndNoneWithoutNeed) {
  EXPECT_EQ(calls_to_trace(task_of(10, 1), {1}).size(), 1u);  // nothing is decoded
  EXPECT_EQ(calls_to_trace(task_of(10, 2), {1}).size(), 2u);
  EXPECT_EQ(calls_to_trace(task_of(10, 3), {1}).size(), 3u);
  EXPECT_EQ(calls_to_trace(task_of(10, 9), {1}, {12, 300, 12}).size(), 5u);  // with both ends
}

TEST(CallsToTrace, RefuseWhatMakesNoSense) {
  const auto why = [](const GenerationTask& task, std::vector<std::int64_t> batches,
                      std::vector<std::int64_t> contexts = {}) {
    try {
      calls_to_trace(task, batches, contexts);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing was refused");
  };
  EXPECT_THAT(why(task_of(0, 5), {1}), HasSubstr("a prompt of 0 tokens"));
  EXPECT_THAT(why(task_of(5, 0), {1}), HasSubstr("0 new tokens"));
  EXPECT_THAT(why(task_of(900'000, 900'000), {1}), HasSubstr("too long"));
  EXPECT_THAT(why(task_of(INT64_MAX, INT64_MAX), {1}), HasSubstr("too long"));
  EXPECT_THAT(why(task_of(5, 5), {}), HasSubstr("no batch"));
  EXPECT_THAT(why(task_of(5, 5), {0}), HasSubstr("batch of 0"));
  EXPECT_THAT(why(task_of(5, 5), {1}, {0}), HasSubstr("context of 0"));
}

TEST(ContextCurve, LiesOnStraightLinesBetweenItsKnots) {
  const ContextCurve curve({{10, {10, 8, 12}}, {20, {20, 16, 24}}, {40, {20, 16, 24}}});
  EXPECT_DOUBLE_EQ(curve.at(20).mean, 20);
  EXPECT_DOUBLE_EQ(curve.at(15).mean, 15);
  EXPECT_DOUBLE_EQ(curve.at(33).mean, 20);
  EXPECT_DOUBLE_EQ(curve.sum(10, 12).mean, 10 + 11 + 12);
  EXPECT_FALSE(curve.is_traced(10, 11));
  EXPECT_TRUE(curve.is_traced(20, 20));
}

// 20 at 20 would be 13.33 on the line from 10 to 20: a third less.
TEST(ContextCurve, AddsTheErrorOfItsLinesToWhatIsInterpolated) {
  const ContextCurve curve({{10, {10, 8, 12}}, {20, {20, 16, 24}}, {40, {20, 16, 24}}});
  ASSERT_TRUE(curve.line_error());
  EXPECT_NEAR(*curve.line_error(), 1.0 / 3, 1e-12);
  EXPECT_DOUBLE_EQ(curve.at(20).high, 24);  // was traced
  EXPECT_GT(curve.at(30).high, 24 * 1.1);
  EXPECT_LT(curve.at(30).low, 16 / 1.1);
  EXPECT_DOUBLE_EQ(curve.at(30).mean, 20);
  EXPECT_FALSE(ContextCurve({{10, {10, 8, 12}}, {20, {20, 16, 24}}}).line_error());
}

TEST(Generation, AddsThePrefillAndAllDecodesUp) {
  // Decodes at contexts 4, 5, 6, 7, of 2, 3, 4 and 5 J.
  const GenerationCosts costs = compose_generation(
      task_of(4, 5), {prefill(2, 4, 16, 0.5), decode(2, 7, 5, 0.05), decode(2, 4, 2, 0.02)});
  ASSERT_EQ(costs.batches.size(), 1u);
  const GenerationCost& cost = costs.batches[0];
  EXPECT_DOUBLE_EQ(cost.energy_j_per_prompt_token.mean, 16.0 / 8);
  EXPECT_DOUBLE_EQ(cost.decode_j->mean, 2 + 3 + 4 + 5);
  EXPECT_DOUBLE_EQ(cost.energy_j_per_new_token->mean, 14.0 / 8);
  EXPECT_DOUBLE_EQ(cost.energy_j.mean, 30);
  EXPECT_DOUBLE_EQ(cost.first_token_s.mean, 0.5);
  EXPECT_NEAR(cost.between_tokens_s->mean, 0.035, 1e-12);
  EXPECT_NEAR(cost.slowest_token_s->mean, 0.05, 1e-12);
  EXPECT_THAT(costs.warnings, ElementsAre(HasSubstr("a straight line that nothing checks")));
}

// Steps share their errors: an average over many of them is as uncertain as one.
TEST(Generation, ErrorsDoNotAverageAway) {
  const GenerationCosts costs =
      compose_generation(task_of(100, 1001), {prefill(1, 100, 1, 0.5), decode(1, 100, 2, 0.02),
                                              decode(1, 600, 4, 0.04), decode(1, 1099, 6, 0.06)});
  const Interval& total = costs.batches[0].energy_j;
  EXPECT_LE(total.low, total.mean / 2 * 1.001);
  EXPECT_GE(total.high, total.mean * 2 * 0.999);
  ASSERT_TRUE(costs.batches[0].interpolation_error);
  EXPECT_LT(*costs.batches[0].interpolation_error, 0.01);
  EXPECT_TRUE(costs.warnings.empty());
}

TEST(Generation, OneNewTokenIsNotDecoded) {
  const GenerationCosts costs = compose_generation(task_of(4, 1), {prefill(2, 4, 16, 0.5)});
  const GenerationCost& cost = costs.batches[0];
  EXPECT_FALSE(cost.decode_j || cost.energy_j_per_new_token || cost.between_tokens_s);
  EXPECT_DOUBLE_EQ(cost.energy_j.mean, 16);
  EXPECT_EQ(cost.cache_bytes, 40);
}

TEST(Generation, TheMemoryIsThatOfTheLongestContext) {
  const GenerationCosts costs = compose_generation(
      task_of(4, 3), {prefill(1, 4, 16, 0.5), decode(1, 4, 2, 0.02, 3000),
                      decode(1, 5, 2, 0.02, 4000), decode(1, 900, 9, 0.09, 90000)});
  EXPECT_EQ(costs.batches[0].peak_bytes, 4000);
  EXPECT_EQ(costs.batches[0].cache_bytes, 60);
  EXPECT_EQ(costs.batches[0].contexts.size(), 3u);
}

TEST(Generation, NothingIsExtrapolated) {
  const std::vector<CallCost> calls{prefill(8, 4, 16, 0.5), decode(8, 5, 2, 0.02),
                                    decode(8, 9, 2, 0.02)};
  EXPECT_THAT(refusal(task_of(4, 3), calls),
              HasSubstr("batch 8: decodes need contexts of 4 to 5 tokens, and those that were "
                        "traced have 5 to 9"));
  EXPECT_THAT(refusal(task_of(5, 3), calls),
              HasSubstr("no prefill of a prompt of 5 tokens was traced; there are prompts of 4"));
  EXPECT_THAT(refusal(task_of(4, 3), {prefill(8, 4, 16, 0.5)}), HasSubstr("no decode was traced"));
  EXPECT_THAT(refusal(task_of(4, 3), {decode(8, 4, 16, 0.5)}), HasSubstr("no prefill of a prompt"));
  EXPECT_THAT(refusal(task_of(4, 1), {prefill(8, 4, 1, 1), prefill(8, 4, 1, 1)}),
              HasSubstr("two programs are the same call (prefill, batch 8, prompt 4)"));
  EXPECT_THAT(refusal(task_of(4, 1), {}), HasSubstr("no traced call"));
}

// Larger batches cost less per sequence and take longer per token.
std::vector<CallCost> three_batches() {
  std::vector<CallCost> calls;
  for (const std::int64_t batch : {1, 4, 16}) {
    const auto n = static_cast<double>(batch);
    calls.push_back(prefill(batch, 4, 10 + n, 0.1 * n));
    calls.push_back(decode(batch, 4, 10 + n, 0.010 * n, 1'000'000'000 * batch));
  }
  return calls;
}

TEST(Generation, TheCheapestBatchKeepsTheLimits) {
  GenerationTask task = task_of(4, 2);
  EXPECT_EQ(compose_generation(task, three_batches()).best, 2u);
  task.most_between_tokens = Seconds(0.1);  // 4 takes 0.04, at most 0.08; 16 takes 0.16
  const GenerationCosts inside = compose_generation(task, three_batches());
  EXPECT_EQ(inside.best, 1u);
  EXPECT_EQ(inside.batches[1].rank, 1);
  EXPECT_EQ(inside.batches[0].rank, 2);
  EXPECT_EQ(inside.batches[2].rank, 0);
  EXPECT_EQ(inside.batches[2].between_tokens, Standing::outside);
}

TEST(Generation, TheMeansAreSaidWhereTheIntervalsReachBeyondTheLimit) {
  GenerationTask task = task_of(4, 2);
  task.most_between_tokens = Seconds(0.05);
  const GenerationCosts costs = compose_generation(task, three_batches());
  EXPECT_EQ(costs.best, 0u);
  EXPECT_EQ(costs.maybe_best, 1u);
  EXPECT_EQ(costs.batches[1].between_tokens, Standing::uncertain);
  task.most_between_tokens = Seconds(0.011);
  const GenerationCosts none = compose_generation(task, three_batches());
  EXPECT_FALSE(none.best);
  EXPECT_EQ(none.maybe_best, 0u);
  EXPECT_THAT(none.why_no_best, HasSubstr("intervals"));
  task.most_between_tokens = Seconds(0.001);
  EXPECT_THAT(compose_generation(task, three_batches()).why_no_best, HasSubstr("outside"));
}

TEST(Generation, ALargerBatchIsNotSurelyInsideWhereASmallerOneIsNot) {
  std::vector<CallCost> calls = three_batches();
  calls.back().estimate.time_s = Interval{0.042, 0.041, 0.043};
  GenerationTask task = task_of(4, 2);
  task.most_between_tokens = Seconds(0.05);
  const GenerationCosts costs = compose_generation(task, calls);
  EXPECT_EQ(costs.batches[1].between_tokens, Standing::uncertain);
  EXPECT_EQ(costs.batches[2].between_tokens, Standing::uncertain);
  EXPECT_EQ(costs.best, 0u);
  EXPECT_EQ(costs.maybe_best, 2u);
}

TEST(Generation, MemoryAndTheFirstTokenAreLimitsToo) {
  GenerationTask task = task_of(4, 2);
  task.memory_bytes = 6'000'000'000;
  EXPECT_EQ(compose_generation(task, three_batches()).best, 1u);
  task.most_to_first_token = Seconds(0.3);
  const GenerationCosts costs = compose_generation(task, three_batches());
  EXPECT_EQ(costs.best, 0u);
  EXPECT_EQ(costs.batches[1].to_first_token, Standing::outside);
  EXPECT_EQ(costs.batches[2].memory, Standing::outside);
}

}  // namespace
}  // namespace ampere
