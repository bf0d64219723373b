#include "method/kernels/survey/fusion_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/stats.h"
#include "method/kernels/survey/findings.h"

namespace ampere {
namespace {

constexpr std::size_t kMostRounds = 4;
constexpr std::size_t kOverheadVisits = 2;
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

double error_of(const Quantity& statistic, int rounds) {
  return std::max(assumed_error(statistic), kRepeatError * statistic.mean / std::sqrt(rounds));
}

Margin margin_of(const FusionTest& test, Quantity RunCost::*quantity, const Quantity& overhead) {
  const Quantity &together = test.together.*quantity, &first = test.apart_first.*quantity,
                 &second = test.apart_second.*quantity;
  const double both = together.mean - overhead.mean, one = first.mean - overhead.mean,
               two = second.mean - overhead.mean;
  if (both <= 0 || one <= 0 || two <= 0) return {};
  const double weight_one = one < two ? 0.5 : 1, weight_two = one < two ? 1 : 0.5;
  const double squares = std::pow(error_of(together, test.rounds), 2) +
                         std::pow(weight_one * error_of(first, test.rounds), 2) +
                         std::pow(weight_two * error_of(second, test.rounds), 2) +
                         std::pow(assumed_error(overhead) / 2, 2);
  return {fusion_margin(both, one, two), std::sqrt(squares), std::min(one, two)};
}

bool is_quiet(const RunCost& cost) {
  return assumed_error(cost.energy_j) <= kRepeatError * cost.energy_j.mean &&
         assumed_error(cost.time_s) <= kRepeatError * cost.time_s.mean;
}

// A single measurement is believed on a device on which windows agree.
bool is_settled(const FusionTest& test) {
  return test.decided &&
         (test.rounds > 1 ||
          (is_quiet(test.together) && is_quiet(test.apart_first) && is_quiet(test.apart_second)));
}

Quantity over(std::span<const Observation> observations, Quantity Measurement::*quantity) {
  std::vector<double> means;
  double squares = 0, degrees = 0;
  bool known = true;
  for (const Observation& observation : observations) {
    if (!observation.measurement) continue;
    const Quantity& statistic = (*observation.measurement).*quantity;
    means.push_back(statistic.mean);
    const double error = statistic.stddev.value_or(0);
    squares += error * error;
    degrees += statistic.degrees;
    known = known && statistic.stddev;
  }
  const auto count = static_cast<double>(means.size());
  Quantity within{mean(means)};
  if (known) within = {within.mean, std::sqrt(squares) / count, degrees};
  const Quantity between{within.mean, standard_error(means), count - 1};
  return between.stddev > within.stddev ? between : within;
}

class FusionSuggestions final : public FusionPlan {
 public:
  FusionSuggestions(std::span<const Model> networks, Store& store, std::int64_t profile,
                    const Setup& setup, Precision precision)
      : store_(store),
        profile_(profile),
        setup_(setup),
        precision_(precision),
        candidates_(fusion_candidates(networks)) {
    precision_.relative_error /= 2;
    precision_.min_windows = std::max(precision_.min_windows, kLeastWindows);
    precision_.time_limit *= 1.5;
    if (auto known = read_fusion(store, profile)) findings_ = std::move(*known);
  }

  std::optional<Suggestion> next() override {
    if (!findings_.overhead && overhead_.size() < kOverheadVisits && !overhead_skipped_)
      return asked(empty_network(), Purpose::overhead, overhead_.size());
    while (index_ < candidates_.size() && is_known(candidates_[index_])) ++index_;
    if (index_ == candidates_.size()) {
      put_findings(store_, profile_, findings_);
      return std::nullopt;
    }
    return asked(*sides_of(candidates_[index_])[side_].model, Purpose::fusion, round_);
  }

  void tell(const Finding& finding) override {
    if (!findings_.overhead && overhead_.size() < kOverheadVisits && !overhead_skipped_)
      return tell_overhead(finding);
    tell_side(finding);
  }

  Progress progress() const override {
    Progress now;
    now.step = "fusion";
    now.done = static_cast<std::int64_t>(index_);
    now.of = static_cast<std::int64_t>(candidates_.size());
    if (index_ < candidates_.size())
      now.title = candidates_[index_].pair.first + "+" + candidates_[index_].pair.second;
    return now;
  }

  const FusionFindings& findings() const override { return findings_; }

 private:
  struct Side {
    const Model* model;
    RunCost FusionTest::*cost;
    const char* name;
  };
  static std::array<Side, 3> sides_of(const FusionCandidate& candidate) {
    return {Side{&candidate.together, &FusionTest::together, "together"},
            Side{&candidate.first, &FusionTest::apart_first, "the first alone"},
            Side{&candidate.second, &FusionTest::apart_second, "the second alone"}};
  }

  Suggestion asked(const Model& model, Purpose purpose, std::size_t visit) const {
    Suggestion suggestion;
    suggestion.model = model;
    suggestion.setup = setup_;
    suggestion.precision = precision_;
    suggestion.purpose = purpose;
    suggestion.visit = visit;
    suggestion.only_answerable = true;
    return suggestion;
  }

  bool is_known(const FusionCandidate& candidate) const {
    const auto known = std::ranges::find(findings_.tests, candidate.pair, &FusionTest::pair);
    return known != findings_.tests.end() && known->rounds > 0;
  }

  void tell_overhead(const Finding& finding) {
    overhead_skipped_ = finding.skipped();
    if (finding.observation) overhead_.push_back(*finding.observation);
    if (overhead_.size() < kOverheadVisits && !overhead_skipped_) return;
    if (const auto cost = run_cost_of(overhead_))
      findings_.overhead = {{cost->energy_j.mean, assumed_error(cost->energy_j)},
                            {cost->time_s.mean, assumed_error(cost->time_s)}};
    else
      overhead_skipped_ = true;
  }

  // Each side once in every round; after the third one the pair may be decided.
  void tell_side(const Finding& finding) {
    const FusionCandidate& candidate = candidates_[index_];
    const Side side = sides_of(candidate)[side_];
    test_.pair = candidate.pair;
    std::vector<Observation>& measured = measured_[side_];
    if (finding.observation) measured.push_back(*finding.observation);
    const auto cost = run_cost_of(measured);
    if (!cost || finding.skipped()) return give_up(side, measured);
    test_.*side.cost = *cost;
    if (++side_ < measured_.size()) return;
    side_ = 0;
    test_.rounds = static_cast<int>(++round_);
    decide(test_, findings_.overhead);
    if (is_settled(test_) || round_ == kMostRounds) conclude();
  }

  void give_up(const Side& side, const std::vector<Observation>& measured) {
    test_.rounds = 0;
    test_.decided = false;
    test_.note = fmt::format("{} could not be measured{}{}", side.name, measured.empty() ? "" : ": ",
                             measured.empty() ? "" : measured.back().failure);
    conclude();
  }

  void conclude() {
    if (!test_.decided)
      test_.fused = default_fusion_rules().fuses(test_.pair.first, test_.pair.second);
    std::erase_if(findings_.tests, [&](const FusionTest& old) { return old.pair == test_.pair; });
    findings_.tests.push_back(test_);
    if (test_.fused)
      findings_.rules.pairs.insert(test_.pair);
    else
      findings_.rules.pairs.erase(test_.pair);
    put_findings(store_, profile_, findings_);
    ++index_;
    test_ = {};
    measured_ = {};
    side_ = round_ = 0;
  }

  Store& store_;
  std::int64_t profile_;
  Setup setup_;
  Precision precision_;
  FusionFindings findings_;
  std::vector<Observation> overhead_;
  bool overhead_skipped_ = false;

  std::vector<FusionCandidate> candidates_;
  std::size_t index_ = 0;  // of the candidate at hand
  FusionTest test_;
  std::array<std::vector<Observation>, 3> measured_;  // of its sides
  std::size_t side_ = 0, round_ = 0;
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

std::unique_ptr<FusionPlan> plan_fusion(std::span<const Model> networks, Store& store,
                                        std::int64_t profile, const Setup& setup,
                                        Precision precision) {
  return std::make_unique<FusionSuggestions>(networks, store, profile, setup, precision);
}

Model empty_network() {
  ModelBuilder nothing("nothing");
  nothing.add(Input{image(1, 1, 1), true}, std::initializer_list<int>{});
  nothing.add(Flatten{});
  return std::move(nothing).build();
}

std::optional<RunCost> run_cost_of(std::span<const Observation> observations) {
  if (std::ranges::none_of(observations, [](const auto& o) { return o.measurement.has_value(); }))
    return std::nullopt;
  return RunCost{over(observations, &Measurement::energy_j),
                 over(observations, &Measurement::time_s)};
}

}  // namespace ampere
