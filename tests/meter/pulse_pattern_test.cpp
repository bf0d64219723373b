#include "meter/trace/pulse_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "ampere/error.h"
#include "base/steady_now.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;

const std::vector<Pulse> kPulses = {{Seconds{100.0}, Seconds{100.2}},
                                    {Seconds{100.5}, Seconds{100.6}},
                                    {Seconds{100.75}, Seconds{101.15}},
                                    {Seconds{101.4}, Seconds{101.55}}};

bool is_on(double time_s, const std::vector<Pulse>& pulses) {
  for (const Pulse& pulse : pulses)
    if (time_s >= pulse.begin.count() && time_s < pulse.end.count()) return true;
  return false;
}

// Ten seconds of it by a clock that shows `offset` less than ours.
PulseTrace trace_of(const std::vector<Pulse>& pulses, double rate, double offset, double noise_w) {
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, noise_w);
  PulseTrace trace;
  for (int i = 0; i < 10 * rate; ++i) {
    const double ours = 97 + i / rate;
    trace.add(Seconds{ours - offset}, Watts{(is_on(ours, pulses) ? 12 : 4) + noise(random)});
  }
  return trace;
}

TEST(FindPulses, FindsTheOffsetToAMillisecond) {
  const PulseMatch match = find_pulses(trace_of(kPulses, 5000, 1234.5678, 0.5), kPulses);
  EXPECT_NEAR(match.offset.count(), 1234.5678, 0.002);
  EXPECT_GT(match.score, 0.95);
}

TEST(FindPulses, FindsThemInNoiseAsLargeAsThePulses) {
  EXPECT_NEAR(find_pulses(trace_of(kPulses, 5000, -50, 8), kPulses).offset.count(), -50, 0.005);
}

TEST(FindPulses, FindsThemInASlowTrace) {
  EXPECT_NEAR(find_pulses(trace_of(kPulses, 50, 3, 0.2), kPulses).offset.count(), 3, 0.03);
}

std::string refusal(const PulseTrace& trace) {
  try {
    find_pulses(trace, kPulses);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::no_meter);
    return error.what();
  }
  ADD_FAILURE() << "found";
  return "";
}

TEST(FindPulses, RefusesATraceWithoutThem) {
  EXPECT_THAT(refusal(trace_of({}, 1000, 0, 1)), HasSubstr("not clearly in the trace"));
  EXPECT_THAT(refusal(trace_of({}, 1000, 0, 0)), HasSubstr("scores 0.00"));
}

TEST(FindPulses, RefusesAPatternThatIsThereTwice) {
  std::vector<Pulse> twice = kPulses;
  for (Pulse pulse : kPulses) twice.push_back({pulse.begin + Seconds{3}, pulse.end + Seconds{3}});
  EXPECT_THAT(refusal(trace_of(twice, 1000, 0, 0)), HasSubstr("another one"));
}

TEST(FindPulses, RefusesATraceThatIsTooShort) {
  PulseTrace trace;
  EXPECT_THAT(refusal(trace), HasSubstr("only 0 s"));
  trace.add(Seconds{1}, Watts{1});
  EXPECT_THAT(refusal(trace), HasSubstr("less than the pattern"));
}

TEST(PulseTrace, KeepsHalfAMinuteAtOneMillisecond) {
  PulseTrace trace;
  for (int i = 0; i < 400'000; ++i) trace.add(Seconds{i * 1e-4}, Watts{1});
  EXPECT_LE(trace.samples().size(), 31'000u);
  EXPECT_GE(trace.samples().front().time, Seconds{9.9});
}

TEST(EmitCpuPulses, SaysWhenTheLoadWasOn) {
  const Seconds before = steady_now();
  const std::vector<Pulse> pulses = emit_cpu_pulses(Seconds{0.3});
  const Seconds after = steady_now();
  ASSERT_EQ(pulses.size(), 6u);
  Seconds last = before;
  for (const Pulse& pulse : pulses) {
    EXPECT_GT(pulse.begin, last);
    EXPECT_GT(pulse.end, pulse.begin);
    last = pulse.end;
  }
  EXPECT_LT(last, after);
}

}  // namespace
}  // namespace ampere
