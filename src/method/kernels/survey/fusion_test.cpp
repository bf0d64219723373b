#include "method/kernels/survey/fusion_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "method/kernels/survey/findings.h"

namespace ampere {
namespace {

constexpr std::size_t kMostRounds = 4;
constexpr int kLeastWindows = 3;        // of each: two say little of their scatter
constexpr double kBeyondNoise = 3;      // standard errors
constexpr double kLargestError = 0.25;  // as a share of the smaller one
constexpr double kRepeatError = 0.01;   // between measurements, where their number says nothing

// How clearly neighbours are fused, or not.
struct Margin {
  double value = 0, error = 0;
  double smaller = 0;  // of the two; 0 where it costs nothing that can be seen

  // In standard errors; 0 where these are too large to tell anything of the smaller one.
  double clearness() const {
    return error > 0 && error <= kLargestError * smaller ? std::abs(value) / error : 0;
  }
};

double error_of(const Statistic& statistic, int rounds) {
  return std::max(statistic.standard_error, kRepeatError * statistic.mean / std::sqrt(rounds));
}

Margin margin_of(const FusionTest& test, Statistic RunCost::*quantity, const Quantity& overhead) {
  const Statistic &together = test.together.*quantity, &first = test.apart_first.*quantity,
                  &second = test.apart_second.*quantity;
  const double both = together.mean - overhead.mean, one = first.mean - overhead.mean,
               two = second.mean - overhead.mean;
  if (both <= 0 || one <= 0 || two <= 0) return {};
  const double weight_one = one < two ? 0.5 : 1, weight_two = one < two ? 1 : 0.5;
  const double squares = std::pow(error_of(together, test.rounds), 2) +
                         std::pow(weight_one * error_of(first, test.rounds), 2) +
                         std::pow(weight_two * error_of(second, test.rounds), 2) +
                         std::pow(overhead.stddev / 2, 2);
  return {fusion_margin(both, one, two), std::sqrt(squares), std::min(one, two)};
}

bool is_quiet(const RunCost& cost) {
  return cost.energy_j.standard_error <= kRepeatError * cost.energy_j.mean &&
         cost.time_s.standard_error <= kRepeatError * cost.time_s.mean;
}

// A single measurement is believed on a device on which windows agree.
bool is_settled(const FusionTest& test) {
  return test.decided &&
         (test.rounds > 1 ||
          (is_quiet(test.together) && is_quiet(test.apart_first) && is_quiet(test.apart_second)));
}

class Tester {
 public:
  Tester(Measurer& measurer, const Precision& precision)
      : measurer_(measurer), precision_(precision) {
    precision_.relative_error /= 2;
    precision_.min_windows = std::max(precision_.min_windows, kLeastWindows);
    precision_.time_limit *= 1.5;
    if (auto known = read_fusion(measurer.store(), measurer.profile()))
      findings_ = std::move(*known);
  }

  void measure_overhead() {
    if (findings_.overhead) return;
    const Model nothing = empty_network();
    const auto found =
        measurer_.get({.model = nothing, .purpose = Purpose::overhead, .count = 2}, precision_);
    const auto cost = run_cost_of(found);
    if (!cost) return;
    findings_.overhead = {{cost->energy_j.mean, cost->energy_j.standard_error},
                          {cost->time_s.mean, cost->time_s.standard_error}};
  }

  // False when time is up.
  bool test(const FusionCandidate& candidate) {
    const auto known = std::ranges::find(findings_.tests, candidate.pair, &FusionTest::pair);
    if (known != findings_.tests.end() && known->rounds > 0) return true;
    FusionTest test;
    test.pair = candidate.pair;
    for (std::size_t rounds = 1; rounds <= kMostRounds && !is_settled(test); ++rounds)
      if (!measure(candidate, rounds, test)) break;
    if (measurer_.stopped && !is_settled(test)) return false;
    if (!test.decided)
      test.fused = default_fusion_rules().fuses(candidate.pair.first, candidate.pair.second);
    keep(test);
    return true;
  }

  FusionFindings finish() && {
    put_findings(measurer_.store(), measurer_.profile(), findings_);
    return std::move(findings_);
  }

 private:
  // Everything `rounds` times; false when going on makes no sense.
  bool measure(const FusionCandidate& candidate, std::size_t rounds, FusionTest& test) {
    struct Side {
      const Model& model;
      RunCost& cost;
      const char* name;
    };
    for (const Side& side : {Side{candidate.together, test.together, "together"},
                             Side{candidate.first, test.apart_first, "the first alone"},
                             Side{candidate.second, test.apart_second, "the second alone"}}) {
      const auto found = measurer_.get(
          {.model = side.model, .purpose = Purpose::fusion, .count = rounds}, precision_);
      const auto cost = run_cost_of(found);
      if (!cost || found.size() < rounds) {
        test.rounds = 0;
        test.decided = false;
        test.note =
            fmt::format("{} could not be measured{}{}", side.name, found.empty() ? "" : ": ",
                        found.empty() ? "" : found.back().failure);
        return false;
      }
      side.cost = *cost;
    }
    test.rounds = static_cast<int>(rounds);
    decide(test, findings_.overhead);
    return true;
  }

  void keep(const FusionTest& test) {
    std::erase_if(findings_.tests, [&](const FusionTest& old) { return old.pair == test.pair; });
    findings_.tests.push_back(test);
    if (test.fused)
      findings_.rules.pairs.insert(test.pair);
    else
      findings_.rules.pairs.erase(test.pair);
    put_findings(measurer_.store(), measurer_.profile(), findings_);
  }

  Measurer& measurer_;
  Precision precision_;
  FusionFindings findings_;
};

}  // namespace

void decide(FusionTest& test, const std::optional<InferenceOverhead>& overhead) {
  const InferenceOverhead none{};
  const InferenceOverhead& beside = overhead ? *overhead : none;
  const Margin energy = margin_of(test, &RunCost::energy_j, beside.energy_j);
  const Margin time = margin_of(test, &RunCost::time_s, beside.time_s);
  const Margin& clearer = energy.clearness() >= time.clearness() ? energy : time;
  test.decided = clearer.clearness() >= kBeyondNoise;
  test.fused = test.decided && clearer.value > 0;
  if (test.decided)
    test.note.clear();
  else if (energy.smaller <= 0 && time.smaller <= 0)
    test.note = "one of the two costs no more than an inference of nothing";
  else
    test.note = fmt::format("within noise after {} measurements of each", test.rounds);
}

FusionFindings test_fusion(std::span<const Model> networks, Measurer& measurer,
                           const Precision& precision, const FusionListener& listener) {
  Tester tester(measurer, precision);
  tester.measure_overhead();
  const std::vector<FusionCandidate> candidates = fusion_candidates(networks);
  int done = 0;
  for (const FusionCandidate& candidate : candidates) {
    listener(candidate.pair, done++, static_cast<int>(candidates.size()));
    if (!tester.test(candidate)) break;
  }
  return std::move(tester).finish();
}

}  // namespace ampere
