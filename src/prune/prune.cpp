#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "ampere/error.h"
#include "model/inherit.h"
#include "model/widths.h"
#include "prune/floor_text.h"
#include "prune/prune_trainer.h"
#include "prune/pruning.h"
#include "prune/scaled_judge.h"

namespace ampere {
namespace {

constexpr int kMostRounds = 6;
constexpr double kCloseEnough = 0.97;  // of the budget: what is left is not worth another round
// The networks of one search are alike, and the judge errs by nearly the same factor for all of
// them. Measurements tell this factor; this share of the judge's standard deviation remains.
constexpr double kLeftOfDeviation = 0.3;
// The same once a network is inside: the next one may turn out over the budget without loss.
constexpr double kLeftWithRoom = 0;
// The standard deviation is at least this share of the energy. Every network that turns out over
// the budget doubles it, since the judge is then less certain than it states.
constexpr double kLeastDeviation = 0.005;

class Run {
 public:
  Run(const PruneTask& task, const PruneTools& tools) : task_(task), tools_(tools) {}

  PruneResult run() {
    prepare();
    measure_original();
    if (result_.original.measured || !judge_) judge_ = make_judge();
    describe_original();
    set_budget();
    if (trainer_) train_original();
    std::vector<PrunedNetwork> found = find();
    if (tools_.measure && task_.verify)
      for (PrunedNetwork& network : found) confirm(network);
    for (PrunedNetwork& network : found) fine_tune(network);
    choose(std::move(found));
    if (trainer_) result_.trained = trainer_->spent();
    return std::move(result_);
  }

 private:
  void say(const std::string& what) const {
    Progress now;
    now.step = what;
    tools_.listener.progress(now);
  }

  // Everything that can be refused is refused before anything is measured.
  void prepare() {
    result_.space = make_space(task_.original, task_.space);
    result_.original.model = task_.original;
    result_.original.widths = original_widths(result_.space);
    worth_ = worth_of_counts(result_.space);
    if (task_.budget.kind != Budget::Kind::share_of_original)
      resolve(task_.budget, {}, task_.iterations, task_.battery_j);
    upper_j({}, task_.confidence);
    if (!tools_.judges_by_original || !tools_.measure) judge_ = make_judge();
    if (!task_.training) return;
    if (tools_.rig == nullptr)
      throw Error(ErrorCode::usage, "training on data needs a device: it cannot be estimated");
    tools_.rig->describe_data(task_.training->data);
    trainer_.emplace(task_, *tools_.rig, tools_.listener);
  }

  void measure_original() {
    if (!tools_.measure) return;
    say("measuring the original");
    result_.original.measured = tools_.measure(task_.original);
  }

  // From what the profile knows now.
  std::unique_ptr<WidthJudge> make_judge() const {
    const std::optional<Measurement>& measured = result_.original.measured;
    return tools_.judge(measured ? std::optional(Joules{measured->energy_j.mean}) : std::nullopt);
  }

  void describe_original() {
    PrunedNetwork& original = result_.original;
    original.estimated = judge_->judge(original.widths).value();
    original.upper_j = upper_j(original.estimated, task_.confidence);
    original.worth = worth_(original.widths);
    original.parts = judge_->causes(original.widths).parts;
  }

  void set_budget() {
    const PrunedNetwork& original = result_.original;
    const double original_j =
        original.measured ? original.measured->energy_j.mean : original.estimated.energy_j;
    result_.budget_of_measured = original.measured.has_value();
    result_.budget_j = resolve(task_.budget, original_j, task_.iterations, task_.battery_j);
  }

  void train_original() {
    if (task_.training->weights) {
      weights_ = *task_.training->weights;
      result_.original.inherited = trainer_->test(task_.original, weights_);
    } else {
      result_.original.training =
          trainer_->train("original", task_.original, {}, task_.training->epochs);
      weights_ = result_.original.training->state.weights;
      warn_if_stopped(result_.original);
    }
    scores_ = task_.training->ranking == Ranking::l1
                  ? l1_scores(task_.original, weights_)
                  : random_scores(task_.original, task_.training->seed);
    worth_ = worth_of_scores(result_.space, scores_);
  }

  void warn_if_stopped(const PrunedNetwork& network) {
    if (!network.training->stopped.empty())
      result_.warnings.push_back(network.model.name() + ": " + network.training->stopped);
  }

  EnergyBudget budget() const { return {result_.budget_j, task_.confidence}; }

  SearchResult search() {
    ScaledJudge judge(*judge_, correction_);
    SearchOptions options = task_.search;
    options.keep = std::max(options.keep, task_.finalists);
    SearchResult found = search_widths(result_.space, judge, budget(), worth_, options,
                                       [this](const SearchProgress& now) { tell(now); });
    result_.judged += found.judged;
    return found;
  }

  void tell(const SearchProgress& now) const {
    tools_.stop.throw_if_stopped();
    Progress told;
    told.step = now.what;
    told.done = now.done;
    told.of = now.of;
    if (now.best) told.title = fmt::format("best so far {:.3g} J", now.best->upper_j);
    tools_.listener.progress(told);
  }

  PrunedNetwork describe(const WidthCandidate& candidate) {
    PrunedNetwork network;
    network.model = renamed_with_widths(
        task_.original, candidate.widths, OutputChannels::fixed,
        fmt::format("{} pruned to {}", task_.original.name(), fmt::join(candidate.widths, ",")));
    network.widths = candidate.widths;
    network.estimated = candidate.cost;
    network.upper_j = candidate.upper_j;
    network.worth = candidate.worth;
    network.parts = ScaledJudge(*judge_, correction_).causes(candidate.widths).parts;
    return network;
  }

  // Searches and measures by turns. A network that turns out over the budget, or well under it,
  // shows how far the judge is off near it, and corrects the next search.
  std::vector<PrunedNetwork> find() {
    std::vector<PrunedNetwork> inside;
    std::string floor;
    while (result_.rounds < kMostRounds) {
      ++result_.rounds;
      const SearchResult found = search();
      if (found.best.empty()) {
        floor = floor_text(found, budget());
        break;
      }
      if (!tools_.measure) return first_of(found);
      if (measure_best(found, inside) == Next::stop) break;
      correct_judge(inside.empty() ? kLeftOfDeviation : kLeftWithRoom);
    }
    if (inside.empty())
      throw Error(ErrorCode::failed, measured_.empty() ? floor : broken_promise() + floor);
    return best_of(std::move(inside));
  }

  enum class Next { search_again, stop };

  // Measures as many networks as there are finalists, until one is over the budget: the others were
  // judged by the same judge and would be over it as well.
  Next measure_best(const SearchResult& found, std::vector<PrunedNetwork>& inside) {
    int measured_now = 0;
    for (const WidthCandidate& candidate : found.best) {
      if (measured_now == task_.finalists) break;
      if (!measured_.insert(candidate.widths).second || !can_inherit(candidate.widths)) continue;
      ++measured_now;
      PrunedNetwork network = measured(candidate);
      const bool fits = !task_.verify || measured_upper_j(network) <= result_.budget_j;
      if (!fits) {
        least_deviation_ *= 2;
        return Next::search_again;
      }
      inside.push_back(std::move(network));
    }
    const bool close = std::ranges::any_of(inside, [&](const PrunedNetwork& network) {
      return measured_upper_j(network) >= kCloseEnough * result_.budget_j;
    });
    return !task_.verify || close || measured_now == 0 ? Next::stop : Next::search_again;
  }

  std::vector<PrunedNetwork> first_of(const SearchResult& found) {
    std::vector<PrunedNetwork> networks;
    for (const WidthCandidate& candidate : found.best)
      if (networks.size() < static_cast<std::size_t>(task_.finalists))
        networks.push_back(describe(candidate));
    return networks;
  }

  // A shuffle may leave no choice of channels for some widths.
  bool can_inherit(const std::vector<std::int64_t>& widths) const try {
    if (task_.training) keep_best(task_.original, scores_, widths);
    return true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::usage) throw;
    return false;
  }

  PrunedNetwork measured(const WidthCandidate& candidate) {
    PrunedNetwork network = describe(candidate);
    say(fmt::format("measuring {}", network.model.name()));
    network.measured = tools_.measure(network.model);
    result_.tried.push_back(network);
    return network;
  }

  void confirm(PrunedNetwork& network) {
    say(fmt::format("measuring {} once more", network.model.name()));
    network.confirmed = tools_.measure(network.model);
    const double energy_j = network.confirmed->energy_j.mean;
    if (energy_j > result_.budget_j)
      result_.warnings.push_back(fmt::format(
          "{} is {:.1f} % over the budget: it takes {:.4g} J per iteration now, and {:.4g} J when "
          "it was accepted",
          network.model.name(), 100 * (energy_j / result_.budget_j - 1), energy_j,
          network.measured->energy_j.mean));
  }

  double measured_upper_j(const PrunedNetwork& network) const {
    return upper_bound(network.measured->energy_j, task_.confidence);
  }

  // The new judge may have learnt the measurements, and then errs less than the one before it: the
  // correction is only for what the new judge still errs by. Every measurement counts, since each
  // errs by chance, and twice as much as the one before it, since the search comes nearer.
  void correct_judge(double left_of_deviation) {
    judge_ = make_judge();
    double logarithm = 0, error = 0, weights = 0;
    for (const PrunedNetwork& network : result_.tried) {
      const Quantity& measured_j = network.measured->energy_j;
      const double weight = weights + 1;
      weights += weight;
      logarithm +=
          weight * std::log(measured_j.mean / judge_->judge(network.widths).value().energy_j);
      error += weight * assumed_error(measured_j) / measured_j.mean;
    }
    // The next one will be measured with such an error, too, and must be inside with it.
    correction_ = {std::exp(logarithm / weights), left_of_deviation,
                   std::max(least_deviation_, error / weights)};
  }

  std::vector<PrunedNetwork> best_of(std::vector<PrunedNetwork> networks) const {
    std::ranges::stable_sort(networks, std::ranges::greater(), &PrunedNetwork::worth);
    if (networks.size() > static_cast<std::size_t>(task_.finalists))
      networks.resize(static_cast<std::size_t>(task_.finalists));
    return networks;
  }

  std::string broken_promise() const {
    return fmt::format(
        "{} networks were measured in {} rounds, and none stayed inside {:.4g} J per iteration: "
        "the profile is too far off here; profile with more points, or ask for less. ",
        measured_.size(), result_.rounds, result_.budget_j);
  }

  void fine_tune(PrunedNetwork& network) {
    if (!trainer_) return;
    const KeptChannels kept = keep_best(task_.original, scores_, network.widths);
    const Weights weights = inherit(task_.original, weights_, network.widths, kept);
    network.inherited = trainer_->test(network.model, weights);
    network.training = trainer_->train("pruned-" + model_hash(network.model), network.model,
                                       weights, task_.training->fine_tuning);
    warn_if_stopped(network);
  }

  static double quality(const PrunedNetwork& network) {
    if (network.training && network.training->test) return network.training->test->accuracy;
    return network.inherited ? network.inherited->accuracy : network.worth;
  }

  void choose(std::vector<PrunedNetwork> networks) {
    const auto best = std::ranges::max_element(networks, {}, quality);
    result_.pruned = std::move(*best);
    networks.erase(best);
    result_.others = std::move(networks);
  }

  const PruneTask& task_;
  const PruneTools& tools_;
  PruneResult result_;
  WidthWorth worth_;
  std::unique_ptr<WidthJudge> judge_;
  double least_deviation_ = kLeastDeviation;
  Correction correction_;
  std::set<std::vector<std::int64_t>> measured_;
  std::optional<PruneTrainer> trainer_;
  Weights weights_;  // of the original, trained
  ChannelScores scores_;
};

}  // namespace

const char* to_string(Ranking ranking) { return ranking == Ranking::l1 ? "l1" : "random"; }

Ranking parse_ranking(const std::string& text) {
  if (text == "l1") return Ranking::l1;
  if (text == "random") return Ranking::random;
  throw Error(ErrorCode::usage, fmt::format("'{}' is no ranking: l1, random", text));
}

PruneResult prune(const PruneTask& task, const PruneTools& tools) { return Run(task, tools).run(); }

}  // namespace ampere
