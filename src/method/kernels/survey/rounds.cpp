#include "method/kernels/survey/rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ampere/error.h"

namespace ampere {
namespace {

constexpr int kLaterRounds = 4;  // in which what the first one leaves is measured
constexpr std::size_t kSmallestRound = 8;

class Rounds {
 public:
  Rounds(std::vector<TypePool> pools, Measurer& measurer, const SurveyOptions& options,
         const std::function<void(const SurveyProgress&)>& progress)
      : pools_(std::move(pools)),
        measurer_(measurer),
        options_(options),
        progress_(progress),
        rows_(pools_.size()),
        fits_(pools_.size()) {}

  RoundsResult run() {
    std::vector<std::size_t> takes = first_round(pools_, options_.configurations);
    measure(in_order(takes));
    const std::size_t size =
        std::max(kSmallestRound, left() / static_cast<std::size_t>(kLaterRounds));
    while (left() > 0 && !measurer_.out_of_time()) {
      const auto next = suggested(std::min(size, left()));
      if (next.empty() || !measure(next)) break;
    }
    return std::move(result_);
  }

 private:
  struct Choice {
    std::size_t pool;
    Kernel kernel;
  };

  std::size_t left() const {
    return static_cast<std::size_t>(std::max(0, options_.configurations - result_.chosen));
  }

  // By turns over the types, so that a survey that ends early has seen all of them.
  std::vector<Choice> in_order(const std::vector<std::size_t>& takes) {
    std::vector<Choice> choices;
    for (std::size_t turn = 0; turn < *std::ranges::max_element(takes); ++turn)
      for (std::size_t i = 0; i < pools_.size(); ++i)
        if (turn < takes[i]) choices.push_back({i, pools_[i].left[turn]});
    for (std::size_t i = 0; i < pools_.size(); ++i)
      pools_[i].left.erase(pools_[i].left.begin(),
                           pools_[i].left.begin() + static_cast<std::ptrdiff_t>(takes[i]));
    return choices;
  }

  // False when nothing of it could be measured, as by a recording that has none of it.
  bool measure(const std::vector<Choice>& choices) {
    ++result_.rounds;
    result_.chosen += static_cast<int>(choices.size());
    bool any = false;
    for (std::size_t done = 0; done < choices.size() && !measurer_.out_of_time(); ++done) {
      const Choice& choice = choices[done];
      const Kernel& kernel = choice.kernel;
      report(choices, done);
      const auto found =
          measurer_.get({.model = kernel.alone, .purpose = Purpose::kernel, .kind = kernel.type},
                        options_.precision);
      if (found.empty()) continue;
      any = true;
      if (auto row = row_of(kernel, found.front())) {
        row->line = ++lines_;
        rows_[choice.pool].push_back(std::move(*row));
        fits_[choice.pool].reset();
      } else {
        result_.warnings.push_back(fmt::format("{} ({}) failed: {}", kernel.type,
                                               to_string(kernel.config), found.front().failure));
      }
    }
    return any;
  }

  void report(const std::vector<Choice>& choices, std::size_t done) const {
    SurveyProgress now;
    now.step = fmt::format("round {}", result_.rounds);
    now.title = choices[done].kernel.type;
    now.of = options_.configurations;
    now.done = result_.chosen - static_cast<int>(choices.size() - done);
    now.failures = measurer_.tally.failed;
    const int measured = measurer_.tally.measured + measurer_.tally.failed;
    if (measured > 0) now.left = measurer_.measuring / measured * (now.of - now.done);
    progress_(now);
  }

  // Energy alone decides what is measured next.
  void refit(std::size_t pool) {
    if (fits_[pool] || rows_[pool].size() < kLeastKernelRows) return;
    std::vector<TableRow> rows = rows_[pool];
    for (TableRow& row : rows) row.latency_s.reset();
    try {
      fits_[pool] = fit_kernel(pools_[pool].type, rows, {PredictorKind::gp, 5, options_.seed});
    } catch (const Error& error) {
      if (error.code() != ErrorCode::usage) throw;  // too few that differ
    }
  }

  // The joules by which the networks' kernels of this type may be off; 0 where that is known well
  // enough.
  double error_in_networks(std::size_t pool) const {
    const auto& fit = fits_[pool];
    if (!fit || !fit->energy_accuracy || fit->energy_accuracy->mape < options_.tolerance) return 0;
    std::vector<KernelConfig> configs;
    for (const Kernel& kernel : pools_[pool].in_networks) configs.push_back(kernel.config);
    const std::vector<KernelCost> costs = predict(*fit, configs);
    double joules = 0;
    for (std::size_t i = 0; i < costs.size(); ++i)
      joules += pools_[pool].counts[i] * costs[i].energy_j.mean;
    return joules * fit->energy_accuracy->mape;
  }

  std::vector<Choice> suggested(std::size_t count) {
    std::vector<double> weights;
    std::vector<std::size_t> limits;
    for (std::size_t i = 0; i < pools_.size(); ++i) {
      refit(i);
      weights.push_back(error_in_networks(i));
      limits.push_back(weights.back() > 0 ? pools_[i].left.size() : 0);
    }
    std::vector<Choice> choices;
    const auto shares = with_one_each(count, weights, limits);
    for (std::size_t i = 0; i < pools_.size(); ++i) take_suggested(i, shares[i], choices);
    return choices;
  }

  // Types that matter little in joules are not forgotten.
  static std::vector<std::size_t> with_one_each(std::size_t count,
                                                const std::vector<double>& weights,
                                                std::vector<std::size_t> limits) {
    std::vector<std::size_t> ones;
    for (std::size_t& limit : limits) {
      ones.push_back(limit > 0 && count > 0 ? 1 : 0);
      limit -= ones.back();
      count -= ones.back();
    }
    auto shares = shared_out(count, weights, limits);
    for (std::size_t i = 0; i < shares.size(); ++i) shares[i] += ones[i];
    return shares;
  }

  void take_suggested(std::size_t pool, std::size_t count, std::vector<Choice>& choices) {
    if (count == 0) return;
    std::vector<Kernel>& all = pools_[pool].left;
    std::vector<std::size_t> chosen = suggest_kernels(*fits_[pool], all, count);
    for (const std::size_t index : chosen) choices.push_back({pool, all[index]});
    std::ranges::sort(chosen, std::ranges::greater{});
    for (const std::size_t index : chosen)
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(index));
  }

  std::vector<TypePool> pools_;
  Measurer& measurer_;
  const SurveyOptions& options_;
  const std::function<void(const SurveyProgress&)>& progress_;
  std::vector<std::vector<TableRow>> rows_;  // of each pool
  std::vector<std::optional<KernelFit>> fits_;
  int lines_ = 0;
  RoundsResult result_;
};

}  // namespace

std::optional<TableRow> row_of(const Kernel& kernel, const Observation& observation) {
  if (!observation.measurement) return std::nullopt;
  const Measurement& measured = *observation.measurement;
  TableRow row{kernel.type, kernel.config};
  row.energy_j = measured.energy_j.mean;
  row.latency_s = measured.time_s.mean;
  row.power_w = measured.energy_j.mean / measured.time_s.mean;
  return row;
}

RoundsResult measure_in_rounds(std::vector<TypePool> pools, Measurer& measurer,
                               const SurveyOptions& options,
                               const std::function<void(const SurveyProgress&)>& progress) {
  return Rounds(std::move(pools), measurer, options, progress).run();
}

}  // namespace ampere
