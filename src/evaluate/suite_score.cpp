// How far the ways of a suite are off, beside what is commonly used instead.
#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "ampere/evaluate.h"
#include "base/stats.h"
#include "evaluate/suite_answers.h"
#include "method/operations/relative_fit.h"

namespace ampere {
namespace {

bool counts(const SuiteResult& result) {
  return result.measured && result.estimates.size() == kSuiteWays;
}

bool inside(const Interval& interval, double value) {
  return value >= interval.low && value <= interval.high;
}

// Relative errors of one quantity, and how many of the intervals that were stated hold.
struct Errors {
  std::vector<double> errors;
  int stated = 0, held = 0;

  void add(const Interval& estimate, double measured) {
    errors.push_back(estimate.mean / measured - 1);
    if (estimate.confidence == 0) return;
    ++stated;
    held += inside(estimate, measured) ? 1 : 0;
  }
  std::vector<double> sizes() const {
    std::vector<double> result;
    for (const double error : errors) result.push_back(std::abs(error));
    return result;
  }
  // Of all steps or of none: half a coverage would be read as a whole one.
  std::optional<double> coverage() const {
    if (stated == 0 || stated != static_cast<int>(errors.size())) return std::nullopt;
    return held / static_cast<double>(stated);
  }
};

SuiteScore score_of(const std::string& name, int steps, const Errors& energy, const Errors& time) {
  SuiteScore score;
  score.name = name;
  score.steps = steps;
  if (!energy.errors.empty()) {
    score.energy_mape = mean(energy.sizes());
    score.energy_bias = mean(energy.errors);
    score.energy_p90 = quantile(energy.sizes(), 0.9);
    score.energy_coverage = energy.coverage();
  }
  if (!time.errors.empty()) {
    score.time_mape = mean(time.sizes());
    score.time_coverage = time.coverage();
  }
  return score;
}

// Energy as a sum of terms with coefficients that are not negative.
struct Baseline {
  const char* name;
  std::function<Eigen::VectorXd(const SuiteResult&)> terms;
};

std::vector<Baseline> baselines() {
  return {{"FLOPs and a constant",
           [](const SuiteResult& each) { return Eigen::Vector2d(each.flops, 1); }},
          {"FLOPs, bytes and operations",
           [](const SuiteResult& each) {
             return Eigen::Vector3d(each.flops, each.bytes, each.operations);
           }},
          {"roofline and operations", [](const SuiteResult& each) {
             return Eigen::Vector2d(each.roofline_s, each.operations);
           }}};
}

// Nothing when no step of another family has the same format.
std::optional<double> predict(const Baseline& baseline,
                              const std::vector<const SuiteResult*>& results,
                              const SuiteResult& asked) {
  std::vector<const SuiteResult*> others;
  for (const SuiteResult* each : results)
    if (each->family != asked.family && each->half == asked.half) others.push_back(each);
  if (others.empty()) return std::nullopt;
  const Eigen::VectorXd terms = baseline.terms(asked);
  Eigen::MatrixXd rows(std::ssize(others), terms.size());
  Eigen::VectorXd targets(std::ssize(others));
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const SuiteResult& other = *others[static_cast<std::size_t>(i)];
    rows.row(i) = baseline.terms(other).transpose();
    targets(i) = other.measured->energy_j.mean;
  }
  return terms.dot(fit_relative(rows, targets, Eigen::VectorXd::Ones(rows.rows())));
}

Interval without_width(double value) { return {value, value, value, 0}; }

class Answers {
 public:
  explicit Answers(const std::vector<SuiteResult>& results) : all_(results.size()) {
    for (std::size_t i = 0; i < results.size(); ++i)
      if (counts(results[i])) counting_.push_back({i, &results[i]});
    for (const auto& [place, result] : counting_) measured_.push_back(result);
  }

  std::vector<SuiteAnswers> gather(std::span<const SuitePeer> peers) {
    for (std::size_t way = 0; way < kSuiteWays; ++way)
      add(to_string(static_cast<SuiteWay>(way)), [&](const SuiteResult& each) {
        return SuiteAnswer{each.estimates[way].energy_j, each.estimates[way].time_s};
      });
    std::set<std::string> methods;
    for (const SuiteResult* each : measured_)
      for (const auto& [name, estimate] : each->methods) methods.insert(name);
    for (const std::string& name : methods)
      add(name + ", its own profile", [&](const SuiteResult& each) {
        const auto found = each.methods.find(name);
        if (found == each.methods.end()) return SuiteAnswer{};
        return SuiteAnswer{found->second.energy_j, found->second.time_s};
      });
    add_baselines();
    for (const SuitePeer& peer : peers)
      add(peer.name, [&](const SuiteResult& each) {
        SuiteAnswer answer;
        if (const auto found = peer.energy_j.find(each.entry); found != peer.energy_j.end())
          answer.energy_j = without_width(found->second);
        if (const auto found = peer.time_s.find(each.entry); found != peer.time_s.end())
          answer.time_s = without_width(found->second);
        return answer;
      });
    return std::move(answers_);
  }

 private:
  void add_baselines() {
    for (const Baseline& baseline : baselines())
      add(baseline.name, [&](const SuiteResult& each) {
        SuiteAnswer answer;
        if (const auto energy_j = predict(baseline, measured_, each))
          answer.energy_j = without_width(*energy_j);
        return answer;
      });
    add("roofline of the data sheet at its power", [](const SuiteResult& each) {
      if (!each.sheet_s) return SuiteAnswer{};
      return SuiteAnswer{without_width(*each.sheet_s * each.sheet_w.value()),
                         without_width(*each.sheet_s)};
    });
    add("power of the data sheet, measured time", [](const SuiteResult& each) {
      if (!each.sheet_w) return SuiteAnswer{};
      return SuiteAnswer{without_width(*each.sheet_w * each.measured->time_s.mean), std::nullopt};
    });
  }

  // Left out where nothing is answered.
  void add(std::string name, const std::function<SuiteAnswer(const SuiteResult&)>& answer) {
    SuiteAnswers column{std::move(name), std::vector<SuiteAnswer>(all_)};
    bool any = false;
    for (const auto& [place, result] : counting_) {
      column.steps[place] = answer(*result);
      any |= column.steps[place].energy_j || column.steps[place].time_s;
    }
    if (any) answers_.push_back(std::move(column));
  }

  std::size_t all_;
  std::vector<std::pair<std::size_t, const SuiteResult*>> counting_;
  std::vector<const SuiteResult*> measured_;
  std::vector<SuiteAnswers> answers_;
};

}  // namespace

std::vector<SuiteAnswers> suite_answers(const std::vector<SuiteResult>& results,
                                        std::span<const SuitePeer> peers) {
  return Answers(results).gather(peers);
}

std::vector<SuiteScore> score_suite(const std::vector<SuiteResult>& results,
                                    std::span<const SuitePeer> peers) {
  std::vector<SuiteScore> scores;
  for (const SuiteAnswers& column : suite_answers(results, peers)) {
    Errors energy, time;
    int steps = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const SuiteAnswer& answer = column.steps[i];
      if (!answer.energy_j && !answer.time_s) continue;
      ++steps;
      if (answer.energy_j) energy.add(*answer.energy_j, results[i].measured->energy_j.mean);
      if (answer.time_s) time.add(*answer.time_s, results[i].measured->time_s.mean);
    }
    scores.push_back(score_of(column.name, steps, energy, time));
  }
  return scores;
}

}  // namespace ampere
