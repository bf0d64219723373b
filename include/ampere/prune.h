// Pruning a network to an energy budget and keeping the promise: search, measure what was found,
// train it for real.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ampere/rig.h"
#include "ampere/widths.h"

namespace ampere {

// What training may cost, as it is asked for.
struct Budget {
  enum class Kind { share_of_original, joules_per_iteration, joules_of_run, share_of_battery };
  Kind kind = Kind::share_of_original;
  double amount = 1;  // shares as fractions, energies in joules
};

// "50%" of the original; "0.4J", "300mJ", "2Wh" an iteration; "2kJ total", "1.5Wh total" for the
// whole training; "3%battery" of one charge for the whole training. Throws Error(usage) naming the
// text for anything else, and for amounts that are not above 0 or shares above 100 %.
Budget parse_budget(std::string_view text);
std::string to_string(const Budget& budget);

// Joules per iteration. Throws Error(usage) where the budget needs what is not given: the energy of
// an iteration of the original, the iterations of the training, the joules of a charge.
double resolve(const Budget& budget, std::optional<double> original_j,
               std::optional<std::int64_t> iterations, std::optional<double> battery_j);

// Per iteration. A network is inside when its mean + z·sd is at most `joules`, z being the
// one-sided quantile of `confidence`: then it costs more with a probability of 1 − confidence at
// the most, as far as its judge is right. The promise is about joules. Where these are a share of
// an estimate of the original, what that estimate errs by is no part of it; the errors of both go
// the same way mostly, so that the ratio is met more surely than the joules.
struct EnergyBudget {
  double joules = 0;
  double confidence = 0.95;
};

// random: widths drawn at random around a common scale that follows the budget; of those inside,
//   the ones worth most. greedy: from the original, whatever loses least worth for the joules it
//   saves until inside; then what gains most for the room that is left. evolutionary: begins with
//   what the other two find, so that it is never worse than either with equal options.
enum class SearchKind { random, greedy, evolutionary };
const char* to_string(SearchKind kind);
SearchKind parse_search(const std::string& text);  // Error(usage) with the nearest name

struct SearchOptions {
  SearchKind kind = SearchKind::evolutionary;
  std::int64_t draws = 50'000;  // of random; and as many children of evolutionary
  int keep = 10;                // how many networks to return, at most
  unsigned seed = 1;            // equal seeds give equal results
};

enum class Ranking { l1, random };
const char* to_string(Ranking ranking);
Ranking parse_ranking(const std::string& text);  // Error(usage)

// What the networks are to learn, and for how long.
struct TrainingPlan {
  std::string data;     // as a TrainingTask's
  int epochs = 10;      // of the original
  int fine_tuning = 5;  // epochs of a pruned network, from the weights it inherits
  double learning_rate = 0.05;
  unsigned seed = 0;
  Ranking ranking = Ranking::l1;   // which channels stay
  std::optional<Weights> weights;  // of the original, which is then not trained
  std::optional<Joules> stop_at;   // for all training together, testing included
};

struct PruneTask {
  Model original;
  Setup setup;
  SpaceOptions space;
  Budget budget;
  double confidence = 0.95;
  std::optional<std::int64_t> iterations;  // of the training the budget is for, where it is needed
  std::optional<double> battery_j;
  std::string method = "dual";  // dual, ampere or flops
  SearchOptions search;
  int finalists = 1;  // networks that are measured and trained; the best of them is the result
  // Measure what was found, learn from it, and search again until it is inside; without it the
  // first find is the result, inside or not.
  bool verify = true;
  bool learn = true;  // from what is measured, for later estimates too
  Precision precision;
  std::optional<TrainingPlan> training;
  std::string folder;  // for checkpoints, when there is a training
};

struct PrunedNetwork {
  Model model;
  std::vector<std::int64_t> widths;
  Judgement estimated;
  double upper_j = 0;  // at the task's confidence
  double worth = 0;
  std::vector<CostPart> parts;          // where the joules go, as estimated
  std::optional<Measurement> measured;  // when it was found; a pruned one was accepted by it
  // Once more, after it was accepted. Of many networks that are measured, those are accepted that
  // happened to be measured low; nothing was chosen by this measurement.
  std::optional<Measurement> confirmed;
  std::optional<TestScore> inherited;  // before its fine-tuning
  std::optional<TrainingResult> training;

  // What it costs, as far as that was measured.
  const std::optional<Measurement>& cost() const { return confirmed ? confirmed : measured; }
};

struct PruneResult {
  WidthSpace space;
  double budget_j = 0;              // per iteration
  bool budget_of_measured = false;  // a share of what the original was measured to cost
  PrunedNetwork original;
  PrunedNetwork pruned;
  std::vector<PrunedNetwork> others;  // finalists that were not the best
  // Every pruned network that was measured, in order, with the estimate it was chosen by; none of
  // them is trained here.
  std::vector<PrunedNetwork> tried;
  std::int64_t judged = 0;  // networks, in all rounds
  int rounds = 0;           // of searching and measuring
  Joules trained{};         // by all training
  std::vector<std::string> warnings;
};

}  // namespace ampere
