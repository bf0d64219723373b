#include "method/kernels/survey/rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ampere/error.h"
#include "method/kernels/survey/host_reference.h"

namespace ampere {
namespace {

constexpr int kLaterRounds = 4;  // in which what the first one leaves is measured
constexpr std::size_t kSmallestRound = 8;
constexpr int kPaceEvery = 16;  // kernels: some 4 % of the time that these take

class Rounds final : public RoundsPlan {
 public:
  Rounds(std::vector<TypePool> pools, const Setup& setup, const SurveyOptions& options,
         bool has_host_apart)
      : pools_(std::move(pools)),
        setup_(setup),
        options_(options),
        has_host_apart_(has_host_apart),
        rows_(pools_.size()),
        fits_(pools_.size()) {}

  std::optional<Suggestion> next() override {
    if (next_ == choices_.size() && !begin_round()) return std::nullopt;
    const Kernel& kernel = choices_[next_++].kernel;
    Suggestion suggestion;
    suggestion.model = kernel.alone;
    suggestion.setup = setup_;
    suggestion.title = fmt::format("{} ({})", kernel.type, to_string(kernel.config));
    suggestion.precision = options_.precision;
    suggestion.purpose = Purpose::kernel;
    suggestion.kind = kernel.type;
    suggestion.with_times = has_host_apart_;
    if (suggested_++ % kPaceEvery == 0) pace(suggestion);
    suggestion.only_answerable = true;
    return suggestion;
  }

  void tell(const Finding& finding) override {
    if (!finding.observation) return;
    any_ = true;
    const Choice& choice = choices_[next_ - 1];
    auto row = row_of(choice.kernel, *finding.observation);
    if (!row) return;
    row->line = ++lines_;
    rows_[choice.pool].push_back(std::move(*row));
    fits_[choice.pool].reset();
  }

  Progress progress() const override {
    Progress now;
    now.step = fmt::format("round {}", rounds_);
    now.title = choices_[next_ - 1].kernel.type;
    now.of = options_.configurations;
    now.done = chosen_ - static_cast<std::int64_t>(choices_.size() - next_);
    return now;
  }

  std::optional<std::int64_t> left() const override {
    return options_.configurations - progress().done;
  }

  int rounds() const override { return rounds_; }

 private:
  struct Choice {
    std::size_t pool;
    Kernel kernel;
  };

  static void pace(Suggestion& suggestion) {
    suggestion.with_times = true;
    suggestion.reference = host_reference();
  }

  std::size_t unchosen() const {
    return static_cast<std::size_t>(std::max(0, options_.configurations - chosen_));
  }

  // False when there is nothing more to choose, or when nothing of a later round could be measured,
  // as by a recording that has none of it.
  bool begin_round() {
    if (rounds_ == 0) {
      choices_ = in_order(first_round(pools_, options_.configurations));
    } else {
      if (unchosen() == 0 || (rounds_ > 1 && !any_)) return false;
      if (rounds_ == 1)
        size_ = std::max(kSmallestRound, unchosen() / static_cast<std::size_t>(kLaterRounds));
      choices_ = suggested(std::min(size_, unchosen()));
    }
    next_ = 0;
    any_ = false;
    if (choices_.empty()) return false;
    ++rounds_;
    chosen_ += static_cast<int>(choices_.size());
    return true;
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

  // Energy over the sizes alone decides what is measured next. A process that also sees alignment
  // would choose others, and no survey that was begun without it could go on as it began.
  void refit(std::size_t pool) {
    if (fits_[pool] || rows_[pool].size() < kLeastKernelRows) return;
    std::vector<TableRow> rows = rows_[pool];
    for (TableRow& row : rows) {
      row.latency_s.reset();
      row.device_s.reset();
    }
    try {
      fits_[pool] =
          fit_kernel(pools_[pool].type, rows, {.seed = options_.seed, .sees_alignment = false});
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
  Setup setup_;
  SurveyOptions options_;
  bool has_host_apart_;
  std::vector<std::vector<TableRow>> rows_;  // of each pool
  std::vector<std::optional<KernelFit>> fits_;
  std::vector<Choice> choices_;  // of this round
  std::size_t next_ = 0, size_ = 0;
  int rounds_ = 0, chosen_ = 0, lines_ = 0;
  int suggested_ = 0;
  bool any_ = false;  // something of this round was measured
};

}  // namespace

std::optional<TableRow> row_of(const Kernel& kernel, const Observation& observation) {
  if (!observation.measurement) return std::nullopt;
  const Measurement& measured = *observation.measurement;
  TableRow row{kernel.type, kernel.config};
  row.energy_j = measured.energy_j.mean;
  row.latency_s = measured.time_s.mean;
  row.power_w = measured.energy_j.mean / measured.time_s.mean;
  const std::optional<Timing>& timing = observation.timing;
  if (timing && timing->host_s && timing->device_s > 0) row.device_s = timing->device_s;
  return row;
}

std::unique_ptr<RoundsPlan> plan_rounds(std::vector<TypePool> pools, const Setup& setup,
                                        const SurveyOptions& options, bool has_host_apart) {
  return std::make_unique<Rounds>(std::move(pools), setup, options, has_host_apart);
}

}  // namespace ampere
